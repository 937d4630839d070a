import type { AgentAdapter } from "@tmpm/agents";
import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import type { Supervisor, TurnFacts } from "../../src/index.js";
import { asking, memoryHooks } from "../fixtures/asking-agent.js";
import { composer, fixture } from "../fixtures/fixture.js";
import { turnAgent } from "../fixtures/turn-agent.js";
import { turnProgram } from "../fixtures/turn-program.js";
import { brief, demo, endedTurns, outcome, submit, until } from "../fixtures/turn-steps.js";

describe("turn", () => {
  test("is accepted at once, runs, and completes when the agent is ready again", async () => {
    const each = await demo();
    const accepted = await submit(each, "work 3000");
    expect(accepted).toMatchObject({ state: "queued", position: 1, turn: { generation: 1, prompt: "work 3000", prompt_bytes: 9 } });
    const running = await until(each.sessions, accepted, "running");
    expect(running).toMatchObject({ position: null, turn: { receipt: { outcome: "submitted" } } });
    const ended = await outcome(each.sessions, accepted);
    expect(ended).toMatchObject({ state: "ended", outcome: "completed", reason: "ready", cause: null, code: null });
    expect(Date.parse(ended.ended_at ?? "") - Date.parse(ended.started_at ?? "")).toBeGreaterThanOrEqual(3_000);
    const types = each.events.filter(({ type }) => type.startsWith("turn_")).map(({ type }) => type);
    expect(types).toEqual(["turn_queued", "turn_started", "turn_ended"]);
    expect(endedTurns(each)).toMatchObject([{ turn_id: accepted.turn.id, outcome: "completed", cause: null }]);
    expect(await each.turnJournal.list(ended.session_id)).toEqual([ended]);
  });

  test("is created by a plain send too, under the send's id", async () => {
    const each = await demo();
    const { receipt } = await each.sessions.send({ session: "demo", text: "work 2000" });
    const turn = await each.sessions.turn({ session: "demo", turn: receipt.id ?? "", wait_ms: 600_000 });
    expect(brief(turn.turn)).toEqual(["completed", null, "ready"]);
  });

  test("is created by a launch prompt, and fails when nothing shows that the agent took it", async () => {
    const carrier: AgentAdapter = {
      ...turnAgent,
      id: "carrier",
      limits: { ...turnAgent.limits, promptInArgv: 100 },
      launch: async ({ prompt }) => ({ argv: ["turn-agent", prompt ?? ""], env: {}, conversationId: null, carriesPrompt: true }),
    };
    const each = fixture({ adapters: [carrier], programs: { "turn-agent": turnProgram(() => undefined) } });
    for (const prompt of ["work 5000", "nothing"]) {
      const { session } = await each.sessions.create({ agent: "carrier", cwd: "/w", prompt });
      const [turn] = await each.sessions.turns({ session: session.record.id });
      if (turn === undefined) throw new Error("there is no turn");
      const ended = await outcome(each.sessions, turn);
      expect(brief(ended)).toEqual(prompt === "nothing" ? ["failed", null, "not_confirmed"] : ["completed", null, "ready"]);
    }
  });

  test("does not end by silence, however long (zeroclaw 37)", async () => {
    const each = await demo();
    const turn = await submit(each, "work 3600000");
    await until(each.sessions, turn, "running");
    each.tmux.advance(3_000_000);
    expect((await each.sessions.turn({ session: "demo", turn: turn.turn.id, wait_ms: 10_000 })).state).toBe("running");
    expect(brief(await outcome(each.sessions, turn))).toEqual(["completed", null, "ready"]);
  });

  test("reports that it waits for approval, and continues after the answer", async () => {
    const each = await demo();
    const turn = await submit(each, "ask");
    const waiting = await until(each.sessions, turn, "waiting_approval");
    expect(each.events).toContainEqual(
      expect.objectContaining({ type: "turn_waiting", turn_id: turn.turn.id, decision_id: waiting.decision_id }),
    );
    expect((await each.sessions.show({ session: "demo" })).decision?.id).toBe(waiting.decision_id);
    await each.sessions.answer({ session: "demo", decision_id: waiting.decision_id ?? "", answer: { kind: "approve" } });
    expect(brief(await outcome(each.sessions, turn))).toEqual(["completed", null, "ready"]);
  });

  test("continues while a hook reports a question that the screen does not show yet", async () => {
    const busyInput: AgentAdapter = {
      ...turnAgent,
      hooks: asking.hooks,
      read: (screen) => ({ ...turnAgent.read(screen), draft: turnAgent.read(screen).draft ?? "" }),
    };
    const hooks = memoryHooks();
    const programs = { "turn-agent": turnProgram(() => undefined) };
    const each = fixture({ adapters: [busyInput], programs, ports: { hooks } });
    const { session } = await each.sessions.create({ agent: "turner", cwd: "/w", name: "demo" });
    const turn = await submit(each, "work 3000");
    await until(each.sessions, turn, "running");
    const question = { kind: "question", tool: null, subject: "Which?", choices: [] };
    const payload = { state: "awaiting_input", decision: question };
    await each.sessions.hook({ session: session.record.id, token: hooks.tokens().at(-1) ?? null, payload });
    expect((await each.sessions.turn({ session: "demo", turn: turn.turn.id })).state).toBe("waiting_approval");
    const over = await outcome(each.sessions, turn);
    expect(brief(over)).toEqual(["completed", null, "ready"]);
    expect(Date.parse(over.ended_at ?? "") - Date.parse(over.started_at ?? "")).toBeGreaterThanOrEqual(3_000);
  });

  test("fails when the agent reports a failure, and when its program ends", async () => {
    const each = await demo();
    const failed = await outcome(each.sessions, await submit(each, "fail"));
    expect([failed.outcome, failed.code, failed.cause]).toEqual(["failed", "AGENT_FAILED", null]);
    const [last, behind] = [await submit(each, "exit"), await submit(each, "work 1")];
    const ended = await outcome(each.sessions, last);
    expect([ended.outcome, ended.code, ended.reason]).toEqual(["failed", "PANE_DEAD", "session_exited"]);
    expect(brief(await outcome(each.sessions, behind))).toEqual(["failed", null, "session_exited"]);
    expect(each.taken).toEqual(["fail", "exit"]);
  });

  test("of a program without visible activity ends once its text is submitted", async () => {
    const each = fixture({ programs: { cat: (terminal) => ({ input: (text) => terminal.write(text === "\r" ? "\r\n" : text) }) } });
    await each.sessions.create({ agent: "command", argv: ["cat"], cwd: "/w", name: "demo" });
    const turn = await submit(each, "hello");
    expect(brief(await outcome(each.sessions, turn))).toEqual(["completed", null, "unobservable"]);
  });

  test("that was refused is the response's error if nothing was accepted, else a turn like any other", async () => {
    const each = await demo({ settings: { queueDepth: 2 } });
    await expect(each.sessions.submit({ session: "demo", prompt: "\u0007" })).rejects.toMatchObject({ code: "INVALID_TEXT" });
    await expect(each.sessions.submit({ session: "ghost", prompt: "x" })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    expect(endedTurns(each)).toEqual([]);
    await submit(each, "for ever");
    await submit(each, "work 1");
    const full = await submit(each, "work 2").catch((error: unknown) => error);
    expect(full).toMatchObject({
      code: "QUEUE_FULL",
      message: expect.stringContaining("queue full (2 pending requests)"),
      details: { depth: 2 },
    });
    const id = full instanceof TmpmError ? String(full.details.turn) : "";
    expect(brief((await each.sessions.turn({ session: "demo", turn: id })).turn)).toEqual(["failed", null, "queue_full"]);
    expect(endedTurns(each)).toMatchObject([{ turn_id: id, outcome: "failed", code: "QUEUE_FULL" }]);
  });
});

describe("queue", () => {
  test("is first in, first out, one at a time, exactly once (zeroclaw 33)", async () => {
    const each = await demo();
    const turns = await Promise.all([1, 2, 3, 4, 5].map((n) => submit(each, `work ${n}000`)));
    for (const turn of turns) expect((await outcome(each.sessions, turn)).outcome).toBe("completed");
    expect(each.taken).toEqual([1, 2, 3, 4, 5].map((n) => `work ${n}000`));
    const times = each.events.flatMap((event) => (event.type === "turn_started" || event.type === "turn_ended" ? [event.turn_id] : []));
    expect(times).toEqual(turns.flatMap(({ turn }) => [turn.id, turn.id]));
  });

  test("waits for a prompt's turn even if the agent would queue text, also behind a plain send", async () => {
    const eager = { ...composer, id: "eager", limits: { ...composer.limits, queuesWhileWorking: true } };
    const each = fixture({ adapters: [eager] });
    await each.sessions.create({ agent: "eager", cwd: "/w", name: "demo" });
    const first = await each.sessions.send({ session: "demo", text: "one" });
    const second = await submit(each, "two");
    const ended = await outcome(each.sessions, second);
    const before = (await each.sessions.turn({ session: "demo", turn: first.receipt.id ?? "" })).turn;
    expect(Date.parse(ended.started_at ?? "")).toBeGreaterThanOrEqual(Date.parse(before.ended_at ?? ""));
  });

  test("drops a turn whose time ran out, and continues (zeroclaw 30)", async () => {
    const each = await demo();
    await until(each.sessions, await submit(each, "for ever"), "running");
    const began = each.tmux.now();
    const turn = await each.sessions.submit({ session: "demo", prompt: "work 1", timeout_ms: 1_000 });
    const ended = await outcome(each.sessions, turn);
    expect([ended.outcome, ended.code, ended.reason]).toEqual(["failed", "TIMEOUT", "waited_too_long"]);
    expect(each.tmux.now() - began).toBeGreaterThanOrEqual(1_000);
    expect(await each.sessions.queue({ session: "demo" })).toMatchObject({ depth: 1, limit: 32, waiting: [] });
    expect(each.taken).toEqual(["for ever"]);
  });

  test("of one session delays no other (zeroclaw 31)", async () => {
    const each = await demo();
    await each.open("other");
    await until(each.sessions, await submit(each, "deaf"), "running");
    await submit(each, "work 1");
    expect((await outcome(each.sessions, await submit(each, "work 100", "other"))).outcome).toBe("completed");
  });

  test("lists running and waiting turns with position and reason, and can be reordered permanently", async () => {
    const each = await demo();
    const running = await submit(each, "for ever");
    await until(each.sessions, running, "running");
    const [a, b, c] = [await submit(each, "work 1"), await submit(each, "work 2"), await submit(each, "work 3")];
    const places = async (sessions: Supervisor) => (await sessions.queue({ session: "demo" })).waiting.map(({ turn }) => turn.prompt);
    expect(await each.sessions.queue({ session: "demo" })).toMatchObject({
      running: [{ turn: { id: running.turn.id } }],
      waiting: [{ position: 1, held: { reason: "behind_another" } }, { position: 2 }, { position: 3 }],
      depth: 4,
    });
    await each.sessions.moveTurn({ session: "demo", turn: c.turn.id, place: { to: "front" } });
    expect(await places(each.sessions)).toEqual(["work 3", "work 1", "work 2"]);
    await each.sessions.moveTurn({ session: "demo", turn: a.turn.id, place: { after: b.turn.id } });
    expect(await places(each.sessions)).toEqual(["work 3", "work 2", "work 1"]);
    for (let n = 0; n < 80; n++)
      await each.sessions.moveTurn({ session: "demo", turn: (n % 2 === 0 ? a : b).turn.id, place: { position: 2 } });
    expect(await places(each.sessions)).toEqual(["work 3", "work 2", "work 1"]);
    await submit(each, "work 4");
    expect((await places(each.sessions)).at(-1)).toBe("work 4");
    await expect(each.sessions.moveTurn({ session: "demo", turn: running.turn.id, place: { to: "back" } })).rejects.toMatchObject({
      code: "INVALID_STATE",
    });
    await each.sessions.close();
    const next = each.restarted();
    expect(await places(next)).toEqual(["work 3", "work 2", "work 1", "work 4"]);
    await next.cancel({ session: "demo" });
    expect((await outcome(next, a)).outcome).toBe("completed");
    expect(each.taken).toEqual(["for ever", "work 3", "work 2", "work 1"]);
    await next.close();
  });

  test("is overtaken by a send that interrupts the running turn", async () => {
    const each = await demo();
    await until(each.sessions, await submit(each, "for ever"), "running");
    const waiting = await submit(each, "work 1");
    await each.sessions.send({ session: "demo", text: "work 300", interrupt: true });
    expect((await outcome(each.sessions, waiting)).outcome).toBe("completed");
    expect(each.taken).toEqual(["for ever", "work 300", "work 1"]);
  });

  test("cancels one turn, or all waiting ones, with nothing typed", async () => {
    const each = await demo();
    const running = await submit(each, "for ever");
    await until(each.sessions, running, "running");
    const waiting = [await submit(each, "work 1"), await submit(each, "work 2"), await submit(each, "work 3")];
    const [first] = waiting;
    const removed = await each.sessions.cancel({ session: "demo", turn: first?.turn.id.slice(0, -1) }).catch((error: unknown) => error);
    expect(removed).toMatchObject({ code: "TURN_NOT_FOUND" });
    expect(brief((await each.sessions.cancel({ session: "demo", turn: first?.turn.id })).turn)).toEqual([
      "cancelled",
      "client_rpc",
      "taken_back",
    ]);
    expect(await each.sessions.clearQueue({ session: "demo" })).toHaveLength(2);
    for (const turn of waiting) expect((await outcome(each.sessions, turn)).outcome).toBe("cancelled");
    await each.sessions.cancel({ session: "demo" });
    await outcome(each.sessions, await submit(each, "work 9"));
    expect(each.taken).toEqual(["for ever", "work 9"]);
  });

  test("ends with its session, and nothing of it reaches the agent afterwards (zeroclaw 34)", async () => {
    for (const [end, cause] of [
      ["stop", "admin_kill"],
      ["restart", "admin_kill"],
      ["remove", "session_removed"],
    ] as const) {
      const each = await demo();
      const turns = [await submit(each, "for ever"), await submit(each, "work 1"), await submit(each, "work 2")];
      await until(each.sessions, turns[0] as TurnFacts, "running");
      await each.sessions[end]({ session: "demo" });
      for (const turn of turns) expect(brief(await outcome(each.sessions, turn)), end).toEqual(["cancelled", cause, "session_closed"]);
      expect(endedTurns(each)).toHaveLength(3);
      expect(each.taken).toEqual(["for ever"]);
    }
  });

  test("is held by a pause, which ends no turn", async () => {
    const each = await demo();
    const running = await submit(each, "work 2000");
    await until(each.sessions, running, "running");
    await each.sessions.pause({ session: "demo" });
    const waiting = await submit(each, "work 1");
    expect((await outcome(each.sessions, running)).outcome).toBe("completed");
    expect((await each.sessions.turn({ session: "demo", turn: waiting.turn.id, wait_ms: 5_000 })).held?.reason).toBe("paused");
    await each.sessions.resume({ session: "demo" });
    expect((await outcome(each.sessions, waiting)).outcome).toBe("completed");
  });
});

describe("history", () => {
  test("is paged up to the last turn, newest last, and delays no other session (zeroclaw 26)", async () => {
    const each = await demo();
    for (const n of [1, 2, 3]) await outcome(each.sessions, await submit(each, `work ${n}`));
    const generations = async (slice: { from?: number; limit?: number }) =>
      (await each.sessions.turns({ session: "demo", ...slice })).map(({ turn }) => turn.generation);
    expect(await generations({})).toEqual([1, 2, 3]);
    expect(await generations({ limit: 2 })).toEqual([2, 3]);
    expect(await generations({ from: 2, limit: 1 })).toEqual([2]);
    expect(await generations({ from: 8 })).toEqual([]);
    await until(each.sessions, await submit(each, "for ever"), "running");
    expect((await each.sessions.turns({ session: "demo" })).at(-1)?.state).toBe("running");
    await each.sessions.stop({ session: "demo" });
    await each.sessions.delete({ session: "demo", purge: true });
    expect(await each.turnJournal.open()).toEqual([]);
  });

  test("a failing journal does not fail a turn, and is retried with the next one", async () => {
    const each = await demo();
    each.turnJournal.failNext(new TmpmError("STORAGE_FULL", "full"));
    const first = await submit(each, "work 1");
    expect((await outcome(each.sessions, first)).outcome).toBe("completed");
    await outcome(each.sessions, await submit(each, "work 2"));
    expect((await each.turnJournal.list(first.turn.session_id)).map(({ outcome: is }) => is)).toEqual(["completed", "completed"]);
    expect(each.faults).toHaveLength(1);
  });
});
