import { expect, test } from "vitest";
import { asking, askingProgram, memoryHooks } from "../fixtures/asking-agent.js";
import { fixture } from "../fixtures/fixture.js";

async function running(settings = {}) {
  const hooks = memoryHooks();
  const here = fixture({ adapters: [asking], programs: { "asking-agent": askingProgram({}) }, ports: { hooks }, settings });
  const { session } = await here.sessions.create({ agent: "asking", cwd: "/w", name: "demo" });
  const { id } = session.record;
  const report = (payload: object) => here.sessions.hook({ session: id, token: hooks.tokens().at(-1) ?? null, payload });
  return { ...here, id, report, show: () => here.sessions.show({ session: "demo" }) };
}

test("reports the program in an observed session's terminal; a long unobserved session is stale, one without a terminal disconnected", async () => {
  const { sessions, tmux, show } = await running();
  expect(await show()).toMatchObject({ currentCommand: "asking-agent", isStale: false, transport: "healthy" });
  tmux.advance(3_600_000);
  expect(await show()).toMatchObject({ isStale: true, transport: "healthy" });
  await sessions.stop({ session: "demo" });
  expect(await show()).toMatchObject({ currentCommand: null, isStale: false, transport: "disconnected", record: { last_cwd: "/w" } });
});

test("an agent's skill is the last one that it started", async () => {
  const { report, show } = await running();
  expect((await show()).lastSkill).toBeNull();
  await report({ event: "PreToolUse", skill: "commit" });
  await report({ event: "PostToolUse" });
  expect((await show()).lastSkill).toBe("commit");
});

test("writes an open decision to the record for other programs, and removes it afterwards", async () => {
  const { sessions, store, id, show } = await running({ sharedStore: true });
  const written = async () => {
    const entry = await store.get(id);
    return entry?.kind === "session" ? [entry.record.pending_decision, entry.record.proposed_default] : null;
  };
  await sessions.send({ session: "demo", text: "ask touch it" });
  const { decision } = await show();
  await expect.poll(written).toEqual(["touch it", "yes"]);
  await sessions.answer({ session: "demo", decision_id: decision?.id ?? "", answer: { kind: "approve" } });
  await expect.poll(written).toEqual([null, null]);
});
