import type { Input, Output } from "@tmpm/api";
import { CONTRACTS } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { describe, expect, test } from "vitest";
import { type KeptPrompt, type PromptTarget, waitingPrompts } from "../../src/fleet/waiting-prompts.js";

const HOUR_MS = 3_600_000;
const NODE_ID = "5c1f";
const OWNER = { label: "build1", nodeId: () => NODE_ID };
const SESSION = CONTRACTS.show.example.answer as Output<"show">;
const TURN = CONTRACTS.submit.example.answer as Output<"submit">;
const lost = new TmpmError("DAEMON_UNREACHABLE", "the link broke", { effect: "unknown" });
const gone = new TmpmError("NODE_OFFLINE", "no route to host");

/** A node with the session `api`, whose id is in `ids`. It keeps each key once, as a daemon does; `next` fails the next attempts, `lost` ones after they arrived. */
function node({ next = [], nodeId = NODE_ID }: { readonly next?: (TmpmError | null)[]; readonly nodeId?: string } = {}) {
  const turns = new Map<string, string>();
  const attempts: string[] = [];
  const ids: Record<string, string> = { api: "s1" };
  const target: PromptTarget = {
    label: OWNER.label,
    nodeId,
    client: {
      async show({ session }: Input<"show">) {
        return { ...SESSION, id: ids[session] ?? session };
      },
      async submit({ session, prompt, idempotency_key = "", queue }: Input<"submit">) {
        attempts.push(prompt);
        expect(queue).toBe(true);
        const failure = next.shift() ?? null;
        if (failure !== null && failure.effect === "none") throw failure;
        turns.set(idempotency_key, `${session} ${prompt}`);
        if (failure !== null) throw failure;
        return TURN;
      },
    },
  };
  return { target, attempts, ids, turns: () => [...turns.values()] };
}

async function fixture(store = memoryDocuments<KeptPrompt>()) {
  const clock = { ms: Date.parse("2026-01-02T12:00:00Z") };
  let ids = 0;
  const newId = () => `0000000${++ids}-0000-4000-8000-000000000000`;
  const reported: string[] = [];
  const report = ({ doing, error }: { readonly doing: string; readonly error: unknown }) => reported.push(`${doing}: ${error}`);
  const again = () => waitingPrompts({ store, timer: { wall: () => clock.ms }, newId, report });
  const prompts = await again();
  const add = (prompt: string, key: string | null = null) => prompts.add({ session: "api", prompt, expires_ms: HOUR_MS, key }, OWNER);
  const states = async () => (await prompts.list(null)).map(({ prompt, state }) => `${prompt} ${state}`);
  return { store, clock, prompts, add, states, again, reported };
}

describe("prompts for a node that does not answer", () => {
  test("are sent in order once it answers, each once", async () => {
    const { prompts, add, states, clock } = await fixture();
    for (const text of ["first", "second", "third"]) {
      await add(text);
      clock.ms += 1_000;
    }
    expect(prompts.count("build1")).toBe(3);
    const far = node();
    await Promise.all([prompts.deliver(far.target), prompts.deliver(far.target)]);
    await prompts.deliver(far.target);
    expect([far.attempts, far.turns()]).toEqual([
      ["first", "second", "third"],
      ["s1 first", "s1 second", "s1 third"],
    ]);
    expect(await states()).toEqual(["first sent", "second sent", "third sent"]);
    expect([prompts.count("build1"), (await prompts.list(null))[0]]).toMatchObject([0, { turn: TURN.id, reason: null }]);
  });

  test("are tried again with the same key after a lost response, also by the next daemon", async () => {
    const { prompts, add, states, again } = await fixture();
    await add("once");
    await add("later");
    const far = node({ next: [lost, lost] });
    await prompts.deliver(far.target);
    expect(await states()).toEqual(["once sending", "later waiting"]);
    await prompts.deliver(far.target);
    await (await again()).deliver(far.target);
    expect([far.attempts, far.turns()]).toEqual([
      ["once", "once", "once", "later"],
      ["s1 once", "s1 later"],
    ]);
  });

  test("that may have arrived have the state unknown after they expire, and are neither sent again nor cancelled", async () => {
    const { prompts, add, states, clock } = await fixture();
    const { id } = await add("perhaps");
    const far = node({ next: [lost, gone] });
    await prompts.deliver(far.target);
    await expect(prompts.cancel(id)).rejects.toMatchObject({ code: "INVALID_STATE", message: "it is being sent, and may have arrived" });
    // A refused attempt after it does not make it certain that nothing arrived.
    await prompts.deliver(far.target);
    expect(await states()).toEqual(["perhaps sending"]);
    clock.ms += HOUR_MS;
    expect(await states()).toEqual(["perhaps unknown"]);
    await prompts.deliver(far.target);
    expect(far.attempts).toHaveLength(2);
  });

  test("expire before they are sent, also without a request in between", async () => {
    const { prompts, add, states, clock } = await fixture();
    await add("late");
    clock.ms += HOUR_MS;
    expect(prompts.count("build1")).toBe(0);
    const far = node();
    await prompts.deliver(far.target);
    expect([far.attempts, await states()]).toEqual([[], ["late expired"]]);
    clock.ms += 24 * HOUR_MS;
    expect(await states()).toEqual([]);
  });

  test("stay waiting after a temporary refusal, and fail after any other", async () => {
    const { prompts, add, states } = await fixture();
    await add("one");
    await add("two");
    const far = node({ next: [gone, new TmpmError("SESSION_NOT_FOUND", "no session api")] });
    await prompts.deliver(far.target);
    expect(await states()).toEqual(["one waiting", "two waiting"]);
    await prompts.deliver(far.target);
    expect(await states()).toEqual(["one failed", "two sent"]);
    expect((await prompts.list(null))[0]?.reason).toBe("no session api");
  });

  test("are unknown, not failed, after a refusal if an earlier attempt may have arrived", async () => {
    const { prompts, add, states } = await fixture();
    await add("one");
    await prompts.deliver(node({ next: [lost] }).target);
    await prompts.deliver(node({ next: [new TmpmError("SESSION_NOT_FOUND", "no session s1")] }).target);
    await add("two");
    await prompts.deliver(node({ next: [lost] }).target);
    await prompts.deliver(node({ nodeId: "another" }).target);
    expect(await states()).toEqual(["one unknown", "two unknown"]);
    expect((await prompts.list(null))[0]?.reason).toBe("no session s1; an earlier attempt may have arrived");
  });

  test("go to the session that had the name at the first attempt, also by the next daemon", async () => {
    const { prompts, add, again } = await fixture();
    await add("one");
    const far = node({ next: [gone] });
    await prompts.deliver(far.target);
    far.ids.api = "s2";
    await (await again()).deliver(far.target);
    expect(far.turns()).toEqual(["s1 one"]);
  });

  test("can be cancelled while another one is being sent, and are not sent then", async () => {
    const { prompts, add, states } = await fixture();
    const [one, two] = [await add("one"), await add("two")];
    const far = node();
    let arrive: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const submit: PromptTarget["client"]["submit"] = async (input) => {
      await arrival;
      return far.target.client.submit(input);
    };
    const delivery = prompts.deliver({ ...far.target, client: { ...far.target.client, submit } });
    await expect.poll(states).toEqual(["one sending", "two waiting"]);
    expect(await prompts.cancel(two.id)).toMatchObject({ state: "cancelled" });
    await expect(prompts.cancel(one.id)).rejects.toMatchObject({ message: "it is being sent, and may have arrived" });
    arrive();
    await delivery;
    expect([far.attempts, await states()]).toEqual([["one"], ["one sent", "two cancelled"]]);
  });

  test("are never sent to a machine that no longer answers", async () => {
    const { prompts, add, states } = await fixture();
    await add("one");
    const far = node();
    await prompts.deliver({ ...far.target, nodeId: null });
    expect([far.attempts, await states()]).toEqual([[], ["one waiting"]]);
  });

  test("are never sent to another machine under the same label", async () => {
    const { prompts, add, states } = await fixture();
    await add("secret");
    const other = node({ nodeId: "another" });
    await prompts.deliver(other.target);
    expect([other.attempts, await states()]).toEqual([[], ["secret failed"]]);
  });

  test("are cancelled by a prefix of their id, or with their node", async () => {
    const { prompts, add, states } = await fixture();
    await add("one");
    await add("two");
    expect(await prompts.cancel("00000001")).toMatchObject({ prompt: "one", state: "cancelled" });
    await expect(prompts.cancel("0000000")).rejects.toMatchObject({ code: "SEND_NOT_FOUND" });
    await expect(prompts.cancel("f")).rejects.toMatchObject({ code: "SEND_NOT_FOUND" });
    await prompts.drop("build1");
    expect(await states()).toEqual(["one cancelled", "two cancelled"]);
    await expect(prompts.cancel("00000002")).rejects.toMatchObject({ code: "INVALID_STATE", message: "it is cancelled" });
  });

  test("that are being added while their node is removed end with it, and later ones are refused", async () => {
    const { prompts, add, states } = await fixture();
    let isRemoved = false;
    const nodeId = () => {
      if (isRemoved) throw new TmpmError("NODE_NOT_FOUND", "unknown node build1");
      return NODE_ID;
    };
    const late = () => prompts.add({ session: "api", prompt: "late", expires_ms: HOUR_MS, key: null }, { ...OWNER, nodeId });
    const added = add("early");
    await prompts.list(null);
    isRemoved = true;
    const [, dropped, refused] = await Promise.allSettled([added, prompts.drop("build1"), late()]);
    expect([dropped.status, refused]).toMatchObject(["fulfilled", { reason: { code: "NODE_NOT_FOUND" } }]);
    expect(await states()).toEqual(["early cancelled"]);
    expect([...prompts.labels()]).toEqual([]);
  });

  test("with a key are added once, and another prompt with the key is refused", async () => {
    const { prompts, add } = await fixture();
    const [one, same] = [await add("once", "job-17"), await add("once", "job-17")];
    expect([same.id, same.key, prompts.count("build1")]).toEqual([one.id, "job-17", 1]);
    await expect(add("other", "job-17")).rejects.toMatchObject({ code: "IDEMPOTENCY_MISMATCH" });
  });

  test("are limited to 100 for each node", async () => {
    const { prompts, add } = await fixture();
    for (let at = 0; at < 100; at++) await add(`number ${at}`);
    await expect(add("one more")).rejects.toMatchObject({ code: "QUEUE_FULL" });
    expect(prompts.count("build1")).toBe(100);
  });

  test("that cannot be read are reported, and the others are kept", async () => {
    const { store, add, again, reported } = await fixture();
    await add("kept");
    const { documents } = await store.all();
    store.all = async () => ({ documents, damaged: [{ path: "/prompts/1.json", reason: "not a document of this kind" }] });
    expect((await (await again()).list(null)).map(({ prompt }) => prompt)).toEqual(["kept"]);
    expect(reported).toEqual(["read the prompt for a node in /prompts/1.json: Error: not a document of this kind"]);
  });

  test("that cannot be written are not accepted, and not sent", async () => {
    const { store, prompts, add } = await fixture();
    await add("kept");
    store.failWith(new TmpmError("STORAGE_FULL", "the disk is full"));
    await expect(add("refused")).rejects.toMatchObject({ code: "STORAGE_FULL" });
    const far = node();
    await expect(prompts.deliver(far.target)).rejects.toMatchObject({ code: "STORAGE_FULL" });
    expect(far.attempts).toEqual([]);
  });
});
