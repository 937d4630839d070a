import { CONTRACTS, type Output } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import type { NodeLink, Timer } from "@tmpm/fleet";
import { memoryDocuments } from "@tmpm/store/memory";
import { expect, test } from "vitest";
import { type Addressee, promptRoutes } from "../../src/fleet/prompt-routes.js";
import { type KeptPrompt, waitingPrompts } from "../../src/fleet/waiting-prompts.js";

const SESSION = CONTRACTS.show.example.answer as Output<"show">;
const TURN = CONTRACTS.submit.example.answer as Output<"submit">;

/** A clock that the test advances: `pending` has the times that were set and not stopped. */
function clock() {
  const set = new Map<() => void, number>();
  const timer: Timer = {
    now: () => 0,
    wall: () => Date.parse("2026-01-02T12:00:00Z"),
    after(ms, act) {
      const fire = () => act();
      set.set(fire, ms);
      return () => void set.delete(fire);
    },
    every: () => () => undefined,
  };
  const pending = (ms: number) => [...set].filter(([, after]) => after === ms).map(([fire]) => fire);
  return {
    timer,
    pending: (ms: number) => pending(ms).length,
    fire(ms: number) {
      for (const fire of pending(ms)) {
        set.delete(fire);
        fire();
      }
    },
  };
}

/** A node that answers; `submit` is its response to every prompt. */
async function fixture(submit: () => Promise<Output<"submit">>) {
  const { timer, ...times } = clock();
  let ids = 0;
  const newId = () => `0000000${++ids}-0000-4000-8000-000000000000`;
  const prompts = await waitingPrompts({ store: memoryDocuments<KeptPrompt>(), timer, newId, report: () => undefined });
  const node = {
    record: { label: "build1" },
    kept: { state: () => ({ link: LINK }) },
    client: { show: async () => SESSION, submit },
  } as unknown as Addressee;
  const { routes, close } = promptRoutes({ prompts, find: () => node, timer, report: () => undefined });
  const add = (prompt: string) =>
    routes.addNodePrompt({ node: "build1", session: "api", prompt, expires_ms: undefined, idempotency_key: undefined });
  return { ...times, add, routes, close, states: async () => (await prompts.list(null)).map(({ state }) => state) };
}

const LINK = { peer: { node_id: "5c1f" } } as NodeLink;
const AGAIN_MS = 5_000;
const ANSWER_MS = 3_000;

test("however many prompts wait for a node, there is one next attempt", async () => {
  let attempts = 0;
  let busy = true;
  const { add, pending, fire, states } = await fixture(async () => {
    attempts += 1;
    if (busy) throw new TmpmError("NOT_READY", "it starts");
    return TURN;
  });
  for (const text of ["one", "two", "three"]) expect((await add(text)).state).toBe("waiting");
  expect([attempts, pending(AGAIN_MS)]).toEqual([3, 1]);
  busy = false;
  fire(AGAIN_MS);
  await expect.poll(states).toEqual(["sent", "sent", "sent"]);
  expect([attempts, pending(AGAIN_MS)]).toEqual([6, 0]);
});

test("a request is answered with the kept prompt while the node does not answer it", async () => {
  let arrive: () => void = () => undefined;
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const { add, pending, fire, states } = await fixture(async () => {
    await arrival;
    return TURN;
  });
  const answers = [add("one"), add("two")];
  await expect.poll(() => pending(ANSWER_MS)).toBe(2);
  await expect.poll(states).toEqual(["sending", "waiting"]);
  fire(ANSWER_MS);
  expect((await Promise.all(answers)).map(({ state }) => state)).toEqual(["sending", "waiting"]);
  arrive();
  await expect.poll(states).toEqual(["sent", "sent"]);
});

test("closing waits for the attempt under way, and no other one follows", async () => {
  let attempts = 0;
  let arrive: () => void = () => undefined;
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const { add, pending, states, close } = await fixture(async () => {
    attempts += 1;
    await arrival;
    throw new TmpmError("NOT_READY", "it starts");
  });
  const answer = add("one");
  await expect.poll(states).toEqual(["sending"]);
  const order: string[] = [];
  const closed = close().then(() => order.push("closed"));
  await states();
  order.push("arrived");
  arrive();
  await closed;
  expect([order, await states(), (await answer).state]).toEqual([["arrived", "closed"], ["waiting"], "waiting"]);
  expect((await add("two")).state).toBe("waiting");
  expect([attempts, pending(AGAIN_MS)]).toEqual([1, 0]);
});

test("closing ends the wait for the next attempt", async () => {
  const { add, pending, close } = await fixture(async () => {
    throw new TmpmError("NOT_READY", "it starts");
  });
  await add("one");
  expect(pending(AGAIN_MS)).toBe(1);
  await close();
  expect(pending(AGAIN_MS)).toBe(0);
});

test("prompts that have all expired end when their node answers again", async () => {
  const { timer } = clock();
  let wall = timer.wall();
  const store = memoryDocuments<KeptPrompt>();
  const newId = () => "00000001-0000-4000-8000-000000000000";
  const prompts = await waitingPrompts({ store, timer: { wall: () => wall }, newId, report: () => undefined });
  let link: NodeLink | null = null;
  const node = {
    record: { label: "build1", seen: { node_id: "5c1f" } },
    kept: { state: () => ({ link }) },
    client: { show: async () => SESSION, submit: async () => TURN },
  } as unknown as Addressee;
  const { routes, deliver } = promptRoutes({ prompts, find: () => node, timer, report: () => undefined });
  await routes.addNodePrompt({ node: "build1", session: "api", prompt: "one", expires_ms: 1_000, idempotency_key: undefined });
  wall += 1_000;
  link = LINK;
  await deliver(node);
  expect([...(await store.all()).documents.values()].map(({ state }) => state)).toEqual(["expired"]);
});
