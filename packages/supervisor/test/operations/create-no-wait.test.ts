import { parseGrant, TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import type { Step } from "../../src/index.js";
import { type Fixture, fixture } from "../fixtures/fixture.js";

/** Holds every creation at a step until released. */
function gate(step: Step) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const reached = async (now: Step) => (now === step ? released : undefined);
  return { ports: { reached }, release };
}

async function stateOf({ store }: Pick<Fixture, "store">, id: string) {
  const entry = await store.get(id);
  return entry?.kind === "session" ? entry.record.state : null;
}

const WAY = { agent: "composer", cwd: "/w", name: "demo", prompt: "work", no_wait: true };

describe("create without waiting", () => {
  test("answers before the launch, with the turn of the prompt, which then arrives", async () => {
    const { ports, release } = gate("create.intended");
    const l = fixture({ ports });
    const { session, receipt, turn_id } = await l.sessions.create(WAY);
    expect([session.record.state, receipt]).toEqual(["provisioning", null]);
    const turn = turn_id ?? "";
    expect((await l.sessions.receipt({ session: "demo", send: turn })).receipt.outcome).toBe("held");
    release();
    await expect.poll(async () => (await l.sessions.receipt({ session: "demo", send: turn })).receipt.outcome).toBe("submitted");
    expect(await stateOf(l, session.record.id)).toBe("active");
    expect((await l.sessions.turn({ session: "demo", turn })).turn.id).toBe(turn);
  });

  test("repeated for the same id, gives the same session and turn", async () => {
    const l = fixture();
    const id = "11111111-2222-4333-8444-555555555555";
    const first = await l.sessions.create({ ...WAY, id });
    const again = await l.sessions.create({ ...WAY, id });
    expect([again.session.record.id, again.turn_id]).toEqual([id, first.turn_id]);
    expect(await l.store.list()).toHaveLength(1);
  });

  test("leaves a failed launch as errored, with its reason and an outcome of the prompt", async () => {
    const l = fixture();
    l.tmux.failNext("create", new TmpmError("TMUX_FAILED", "no room", { effect: "none" }));
    const { session, turn_id } = await l.sessions.create(WAY);
    await expect.poll(() => stateOf(l, session.record.id)).toBe("errored");
    const { record } = await l.sessions.show({ session: "demo" });
    expect(record).toMatchObject({ intent: null, last_error: { code: "TMUX_FAILED", message: "no room" } });
    expect((await l.sessions.receipt({ session: "demo", send: turn_id ?? "" })).receipt.outcome).toBe("refused");
    expect(l.faults).toEqual([]);
  });

  test("fails and leaves nothing if its prompt cannot be accepted", async () => {
    const l = fixture();
    l.sends.failNext("accept", new TmpmError("STORAGE_FULL", "no space", { effect: "none" }));
    await expect(l.sessions.create(WAY)).rejects.toMatchObject({ code: "STORAGE_FULL" });
    expect(await l.store.list({ archived: true })).toEqual([]);
  });

  test("reports a failure that its record does not show", async () => {
    const l = fixture();
    const error = new TmpmError("TMUX_UNRESPONSIVE", "no answer", { effect: "unknown" });
    l.tmux.failNext("create", error);
    const { session } = await l.sessions.create(WAY);
    await expect.poll(() => l.faults).toEqual([{ doing: `creating session ${session.record.id}`, error }]);
  });

  test("refuses what it can check first, and leaves nothing", async () => {
    const l = fixture();
    const planner = (await l.sessions.create({ agent: "composer", cwd: "/w", name: "planner", grant: parseGrant("tree,children=1") }))
      .session.record;
    await expect(l.sessions.create({ ...WAY, agent: "nobody" })).rejects.toMatchObject({ code: "AGENT_UNKNOWN" });
    await expect(l.sessions.create({ ...WAY, actor: planner.id, cwd: "/" })).rejects.toMatchObject({ code: "RIGHTS_EXCEEDED" });
    const made = await Promise.allSettled(["a", "b", "c"].map((name) => l.sessions.create({ ...WAY, name, actor: planner.id })));
    expect(made.map((each) => (each.status === "rejected" ? each.reason.code : "made")).sort()).toEqual([
      "LINEAGE_LIMIT",
      "LINEAGE_LIMIT",
      "made",
    ]);
    expect(await l.store.list()).toHaveLength(2);
  });
});
