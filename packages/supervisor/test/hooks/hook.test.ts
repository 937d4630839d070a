import type { KeptDecisions } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { describe, expect, test } from "vitest";
import type { Ports, Supervisor } from "../../src/index.js";
import { asking, askingProgram, memoryHooks } from "../fixtures/asking-agent.js";
import { fixture } from "../fixtures/fixture.js";

async function running(behaviour = {}, ports: Partial<Ports> = {}) {
  const hooks = memoryHooks();
  const here = fixture({ adapters: [asking], programs: { "asking-agent": askingProgram(behaviour) }, ports: { hooks, ...ports } });
  const { session } = await here.sessions.create({ agent: "asking", cwd: "/w", name: "demo" });
  const id = session.record.id;
  const report = (payload: object, token: string | null = hooks.tokens().at(-1) ?? null) =>
    here.sessions.hook({ session: id, token, payload });
  const ask = (command: string) => here.sessions.send({ session: "demo", text: `ask ${command}` });
  return { ...here, hooks, id, report, ask };
}

const APPROVAL = { kind: "approval", tool: "shell", subject: "touch it", choices: [] } as const;

describe("hook", () => {
  test("a launch gets its own hook files and token, and only the token's digest is stored", async () => {
    const { hooks, id } = await running();
    expect(hooks.written.get(id)).toEqual([`/hooks/${id}/hooks`]);
    expect(hooks.tokens()).toEqual(["token-1"]);
    expect(await hooks.tokenDigest(id)).toMatch(/^[0-9a-f]{64}$/);
  });

  test("an unknown session, a wrong token and a missing token are refused alike, counted, and change nothing", async () => {
    const { sessions, report, events } = await running();
    const before = events.length;
    const refusals = [
      sessions.hook({ session: "00000000-0000-4000-8000-00000000dead", token: "token-1", payload: { state: "working" } }),
      report({ state: "working" }, "token-2"),
      report({ state: "working" }, null),
    ];
    const messages = await Promise.all(refusals.map((refused) => refused.then(String, (error: Error) => error.message)));
    expect(new Set(messages).size).toBe(1);
    for (const refused of refusals) await expect(refused).rejects.toMatchObject({ code: "TOKEN_REFUSED", effect: "none" });
    expect(sessions.hookCounts()).toMatchObject({ taken: 0, refused: { unknown_session: 1, wrong_token: 2 } });
    expect(events).toHaveLength(before);
  });

  test("the token of an earlier launch is refused, also by the next daemon", async () => {
    const here = await running();
    await here.sessions.stop({ session: "demo" });
    await here.sessions.resume({ session: "demo" });
    await expect(here.report({ state: "working" }, "token-1")).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
    const after = here.restarted();
    await expect(after.hook({ session: here.id, token: "token-1", payload: {} })).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
    expect(await after.hook({ session: here.id, token: "token-2", payload: { state: "working" } })).toEqual({ taken: true, reason: null });
  });

  test("an agent that waits at least a minute before a retry is blocked until the reported time; a short wait is work", async () => {
    const { report, sessions, tmux } = await running();
    const waits = (ms: number) => report({ state: "working", waits: { message: "rate limit", resetsAtMs: tmux.now() + ms } });
    const activity = async () => (await sessions.show({ session: "demo" })).activity;
    tmux.advance(9_000);
    await waits(59_000);
    expect(await activity()).toMatchObject({ state: "working", limit: null });
    tmux.advance(10);
    const resetsMs = tmux.now() + 60_000;
    await waits(60_000);
    const limit = { message: "rate limit", resets_at: new Date(resetsMs).toISOString() };
    expect(await activity()).toMatchObject({ state: "blocked", source: "hook", limit });
  });

  test("an event is believed and reported at once, before any observation", async () => {
    const { report, events, sessions, tmux } = await running();
    tmux.advance(9_000);
    await report({ state: "working", evidence: "it took a prompt" });
    expect(events.at(-1)).toMatchObject({ type: "session_activity_changed", activity: { state: "working", source: "hook" } });
    const shown = await sessions.show({ session: "demo" });
    expect(shown).toMatchObject({ activity: { state: "working", source: "hook" } });
    expect(Date.parse(shown.lastSeen)).toBe(tmux.now());
  });

  test("the first event binds the conversation, events of others are ignored, and a new conversation binds again", async () => {
    const { report, store, id, sessions } = await running();
    const conversation = async () => {
      const entry = await store.get(id);
      return entry?.kind === "session" ? entry.record.conversation_id : null;
    };
    await report({ conversationId: "one", state: "working" });
    expect(await conversation()).toBe("one");
    expect(await report({ conversationId: "two", state: "idle" })).toEqual({ taken: false, reason: "other_conversation" });
    expect(await conversation()).toBe("one");
    await report({ conversationId: "two", binds: true });
    expect(await conversation()).toBe("two");
    expect(sessions.hookCounts().refused).toEqual({ other_conversation: 1 });
  });

  test("running sub-agents are counted, and one with its own conversation ends with it", async () => {
    const { report, sessions } = await running();
    const count = async () => (await sessions.show({ session: "demo" })).delegations;
    await report({ conversationId: "main", state: "working" });
    await report({ conversationId: "main", state: "working", subagent: { change: "started", id: "a" } });
    await report({ conversationId: "main", state: "working", subagent: { change: "started", id: "b" } });
    expect(await count()).toBe(2);
    await report({ conversationId: "b", state: "idle" });
    expect(await count()).toBe(1);
    await report({ conversationId: "main", state: "idle" });
    expect(await count()).toBe(0);
  });

  test("reports during a resume and a restart are accepted, but not those of a stopped session", async () => {
    const here = await running();
    const taken: unknown[] = [];
    here.onStep((step) => {
      if (step === "restart.opened" || step === "resume.opened") taken.push(here.report({ state: "working" }));
    });
    await here.sessions.restart({ session: "demo" });
    await here.sessions.stop({ session: "demo" });
    await here.sessions.resume({ session: "demo" });
    here.onStep(null);
    expect(await Promise.all(taken)).toEqual([
      { taken: true, reason: null },
      { taken: true, reason: null },
    ]);
    await here.sessions.stop({ session: "demo" });
    expect(await here.report({ state: "working" })).toEqual({ taken: false, reason: "not_running" });
  });

  test("malformed reports, and reports of a stopped session, have no effect", async () => {
    const { report, sessions } = await running();
    expect(await sessions.hook({ session: (await sessions.show({ session: "demo" })).record.id, token: "token-1", payload: 7 })).toEqual({
      taken: false,
      reason: "not_understood",
    });
    await sessions.stop({ session: "demo" });
    expect(await report({ state: "working" })).toEqual({ taken: false, reason: "not_running" });
    expect(await sessions.show({ session: "demo" })).toMatchObject({ activity: { state: "exited" } });
  });

  test("an agent whose hooks report nothing during a visible turn is listed, until they do", async () => {
    const { ask, sessions, report, tmux } = await running();
    expect(await sessions.silentAgents()).toEqual([]);
    await ask("touch it");
    const { decision } = await sessions.show({ session: "demo" });
    await sessions.answer({ session: "demo", decision_id: decision?.id ?? "", answer: { kind: "approve" } });
    tmux.advance(10_000);
    await sessions.wait({ session: "demo", until: "idle", timeout_ms: 60_000 });
    expect(await sessions.silentAgents()).toMatchObject([{ name: "demo" }]);
    await report({ event: "late" });
    expect(await sessions.silentAgents()).toEqual([]);
  });

  test("a full disk does not prevent a launch: activity is read from the screen instead", async () => {
    const hooks = {
      ...memoryHooks(),
      write: async () => {
        throw new Error("no space left");
      },
    };
    const here = fixture({ adapters: [asking], programs: { "asking-agent": askingProgram() }, ports: { hooks } });
    const { session } = await here.sessions.create({ agent: "asking", cwd: "/w", name: "demo" });
    expect(session.activity.state).toBe("idle");
    expect(here.faults).toHaveLength(1);
  });
});

describe("decisions", () => {
  test("a decision reported by a hook is matched to the one on the screen, with the hook's exact text", async () => {
    const { report, ask, sessions, events } = await running();
    await report({ state: "awaiting_approval", decision: APPROVAL });
    const reported = (await sessions.show({ session: "demo" })).decision;
    expect(reported).toMatchObject({ subject: "touch it", screen_digest: null, choices: [] });
    await ask("touch   it");
    const shown = (await sessions.show({ session: "demo" })).decision;
    expect(shown).toMatchObject({ id: reported?.id, subject: "touch it", choices: [{ label: "yes", answerable: true }, { label: "no" }] });
    expect(shown?.screen_digest).toMatch(/^[0-9a-f]{64}$/);
    expect(events.filter(({ type }) => type === "decision_opened")).toHaveLength(1);
  });

  test("approve presses the agent's own key, verifies that the question is gone, and reports that once", async () => {
    const { ask, sessions, tmux, events } = await running();
    await ask("touch it");
    const { decision } = await sessions.show({ session: "demo" });
    const before = tmux.received("tmpm-demo").length;
    const answered = await sessions.answer({ session: "demo", decision_id: decision?.id ?? "", answer: { kind: "approve" } });
    expect(answered).toMatchObject({ outcome: "answered", answer: "approve", decision: { subject: "touch it" } });
    expect(answered.evidence.join()).toContain("working");
    expect(tmux.received("tmpm-demo").slice(before)).toEqual([{ type: "keys", keys: ["y"] }]);
    expect(events.filter(({ type }) => type === "decision_answered")).toMatchObject([
      { decision_id: decision?.id, answer: "approve", reason: "answered" },
    ]);
  });

  test("of two simultaneous answers one gets DECISION_GONE, and presses no key", async () => {
    const { ask, sessions, tmux } = await running();
    await ask("touch it");
    const { decision } = await sessions.show({ session: "demo" });
    const before = tmux.received("tmpm-demo").length;
    const given = (kind: "approve" | "deny") => sessions.answer({ session: "demo", decision_id: decision?.id ?? "", answer: { kind } });
    const [first, second] = await Promise.allSettled([given("approve"), given("deny")]);
    expect(first).toMatchObject({ status: "fulfilled", value: { outcome: "answered" } });
    expect(second).toMatchObject({
      status: "rejected",
      reason: { code: "DECISION_GONE", details: { closed: "answered", answer: "approve" } },
    });
    expect(tmux.received("tmpm-demo").slice(before)).toHaveLength(1);
  });

  test("an answer to a question that is no longer shown is refused, even if another is shown", async () => {
    const { ask, sessions, tmux } = await running();
    await ask("touch it");
    const old = (await sessions.show({ session: "demo" })).decision?.id ?? "";
    // A user answers in the terminal, and the agent asks again.
    await tmux.driver.keys((await sessions.show({ session: "demo" })).record.pane ?? never(), ["n"]);
    await tmux.driver.paste((await sessions.show({ session: "demo" })).record.pane ?? never(), "ask rm -rf x");
    await tmux.driver.keys((await sessions.show({ session: "demo" })).record.pane ?? never(), ["Enter"]);
    const before = tmux.received("tmpm-demo").length;
    await expect(sessions.answer({ session: "demo", decision_id: old, answer: { kind: "approve" } })).rejects.toMatchObject({
      code: "DECISION_GONE",
      effect: "none",
      details: { closed: "moved_on" },
    });
    expect(tmux.received("tmpm-demo")).toHaveLength(before);
    expect((await sessions.show({ session: "demo" })).decision).toMatchObject({ subject: "rm -rf x" });
  });

  test("ineffective keys are unconfirmed, and the question stays open", async () => {
    const { ask, sessions, events } = await running({ deaf: true });
    await ask("touch it");
    const { decision } = await sessions.show({ session: "demo" });
    const answered = await sessions.answer({ session: "demo", decision_id: decision?.id ?? "", answer: { kind: "deny" } });
    expect(answered.outcome).toBe("unconfirmed");
    expect((await sessions.show({ session: "demo" })).decision?.id).toBe(decision?.id);
    expect(events.some(({ type }) => type === "decision_answered")).toBe(false);
  });

  test("a dialog that only the user may answer is not a decision, and no answer reaches it", async () => {
    const { sessions, tmux } = await running();
    await sessions.send({ session: "demo", text: "trust" });
    const before = tmux.received("tmpm-demo").length;
    expect((await sessions.show({ session: "demo" })).decision).toBeNull();
    await expect(sessions.answer({ session: "demo", decision_id: "anything", answer: { kind: "approve" } })).rejects.toMatchObject({
      code: "SESSION_BLOCKED",
      hint: "attach and decide",
    });
    expect(tmux.received("tmpm-demo")).toHaveLength(before);
  });

  test("choices are numbered from 1, and an invalid one is refused with the valid ones", async () => {
    const { ask, sessions } = await running();
    await ask("touch it");
    const { decision } = await sessions.show({ session: "demo" });
    const given = (answer: Parameters<typeof sessions.answer>[0]["answer"]) =>
      sessions.answer({ session: "demo", decision_id: decision?.id ?? "", answer });
    await expect(given({ kind: "choice", number: 3 })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      hint: "Its choices: 1. yes  2. no",
    });
    await expect(given({ kind: "text", text: "maybe" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await given({ kind: "choice", number: 2 })).toMatchObject({ outcome: "answered", answer: "no" });
  });

  test("an open decision ends with the program", async () => {
    const { ask, sessions, events } = await running();
    await ask("touch it");
    await sessions.stop({ session: "demo" });
    expect((await sessions.show({ session: "demo" })).decision).toBeNull();
    expect(events.findLast(({ type }) => type === "decision_answered")).toMatchObject({ answer: null, reason: "ended" });
  });
});

describe("decisions after a daemon restart", () => {
  const decisionOf = async (sessions: Supervisor) => {
    await sessions.wait({ session: "demo", until: ["awaiting_approval", "idle", "working"], timeout_ms: 60_000 });
    return (await sessions.show({ session: "demo" })).decision;
  };
  const approve = (sessions: Supervisor, id = "") => sessions.answer({ session: "demo", decision_id: id, answer: { kind: "approve" } });

  test("an open decision keeps its id, and can be approved by it", async () => {
    const { report, ask, sessions, restarted, tmux } = await running();
    await report({ state: "awaiting_approval", decision: APPROVAL });
    await ask("touch   it");
    const before = await decisionOf(sessions);
    await sessions.close();
    const after = restarted();
    expect(await decisionOf(after)).toEqual(before);
    expect(await approve(after, before?.id)).toMatchObject({ outcome: "answered" });
    expect(tmux.received("tmpm-demo").at(-1)).toEqual({ type: "keys", keys: ["y"] });
  });

  test("an answered decision is not answered again, even if the same question is shown again", async () => {
    const { ask, sessions, restarted } = await running();
    await ask("touch it");
    const before = await decisionOf(sessions);
    await approve(sessions, before?.id);
    await sessions.wait({ session: "demo", until: "idle", timeout_ms: 60_000 });
    await ask("touch it");
    await sessions.close();
    const after = restarted();
    expect((await decisionOf(after))?.id).not.toBe(before?.id);
    await expect(approve(after, before?.id)).rejects.toMatchObject({
      code: "DECISION_GONE",
      details: { closed: "answered", answer: "approve" },
    });
  });

  test.each([
    ["was taken is not given again", true],
    ["was not taken can be given again, once that is certain", false],
  ] as const)("an answer under way when the last daemon ended and that %s", async (_, taken) => {
    const decisions = memoryDocuments<KeptDecisions>();
    const { ask, sessions, restarted, tmux, id, events } = await running({ slowMs: 500 }, { decisionStore: decisions });
    await ask("touch it");
    const before = await decisionOf(sessions);
    await sessions.close();
    const kept = (await decisions.all()).documents.get(id) ?? expect.unreachable();
    await decisions.put(id, { ...kept, answering: "approve" });
    const pane = (await sessions.show({ session: "demo" })).record.pane ?? expect.unreachable();
    if (taken) await tmux.driver.keys(pane, ["y"]);
    const presses = () => tmux.received("tmpm-demo").filter((input) => JSON.stringify(input).includes('"y"')).length;
    const pressed = presses();
    const answered = approve(restarted(), before?.id);
    if (!taken) {
      expect(await answered).toMatchObject({ outcome: "answered" });
      return expect(presses()).toBe(pressed + 1);
    }
    await expect(answered).rejects.toMatchObject({ code: "DECISION_GONE", details: { closed: "answered", answer: "approve" } });
    expect(presses()).toBe(pressed);
    expect(events.findLast(({ type }) => type === "decision_answered")).toMatchObject({ decision_id: before?.id, reason: "answered" });
  });
});

describe("next and why", () => {
  test("next is the session that has waited longest for an answer, or null", async () => {
    const { ask, sessions, tmux } = await running();
    expect((await sessions.next({})).session).toBeNull();
    await sessions.create({ agent: "asking", cwd: "/w", name: "other" });
    await sessions.send({ session: "other", text: "trust" });
    expect((await sessions.next({})).session?.record.name).toBe("other");
    tmux.advance(5_000);
    await ask("touch it");
    expect((await sessions.next({})).session).toMatchObject({ record: { name: "demo" }, decision: { subject: "touch it" } });
  });

  test("why names the deciding evidence, and what would change it", async () => {
    const { report, sessions } = await running();
    await report({ state: "working", event: "Prompt", evidence: "it took a prompt" });
    const by = await sessions.why({ session: "demo" });
    expect(by.session.activity).toMatchObject({ state: "working", source: "hook" });
    expect(by.evidence.filter(({ decides }) => decides)).toMatchObject([{ source: "hook", what: "it took a prompt", state: "working" }]);
    expect(by.evidence.some(({ source, state }) => source === "screen" && state === "idle")).toBe(true);
    expect(by.would_change.join()).toContain("overrides the screen for 3 s");
    expect(by.hooks.supported).toBe(true);
    await sessions.stop({ session: "demo" });
    expect(await sessions.why({ session: "demo" })).toMatchObject({ evidence: [], would_change: ["`tmpm resume`, which restarts it"] });
  });
});

function never(): never {
  throw new TypeError("the session has no terminal");
}
