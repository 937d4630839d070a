import type { AgentAdapter } from "@tmpm/agents";
import { msFromTimestamp, TmpmError } from "@tmpm/core";
import type { FakeProgram } from "@tmpm/tmux-driver/fake";
import { describe, expect, test } from "vitest";
import type { Supervisor } from "../../src/index.js";
import { composer, type Fixture, fixture } from "../fixtures/fixture.js";
import { recordOf } from "../fixtures/host-fixture.js";

interface Start {
  /** Time for which it shows its input before the dialog, in ms; without it the dialog comes first. */
  readonly inputMs?: number;
  /** Shows no dialog. */
  readonly trusted?: boolean;
  /** Puts the prompt into its input without submitting it. */
  readonly leaves?: boolean;
  /** Called a second after its start. */
  readonly later?: () => void;
}

/** An agent that asks at its start whether the folder is trusted: `y` starts on its launch prompt, `n` exits with status 1. */
function startingProgram({ inputMs, trusted = false, leaves = false, later }: Start): FakeProgram {
  return (terminal) => {
    const [, prompt = ""] = terminal.argv;
    const draw = (line: string) => terminal.write(`\n${line}`);
    let asks = false;
    const ask = () => {
      asks = true;
      draw("trust?");
    };
    draw(inputMs === undefined && !trusted ? "" : `> ${leaves ? prompt : ""}`);
    if (!trusted) terminal.after(inputMs ?? 0, ask);
    if (later !== undefined) terminal.after(1_000, later);
    return {
      input(text) {
        if (leaves && text === "\r") draw("working");
        if (!asks) return;
        if (text === "n") terminal.exit({ status: 1 });
        if (text !== "y") return;
        asks = false;
        if (prompt !== "") draw(`you: ${prompt}`);
        draw(prompt === "" ? "> " : "working");
        if (prompt !== "") terminal.after(3_000, () => draw("> "));
      },
    };
  };
}

const starting: AgentAdapter = {
  ...composer,
  id: "starting",
  limits: { ...composer.limits, promptInArgv: 100, firstDialogMs: 2_000 },
  launch: async ({ prompt, newId }) => ({
    argv: ["start", prompt ?? ""],
    env: {},
    conversationId: newId(),
    carriesPrompt: prompt !== null,
  }),
  read({ lines, dead }) {
    const last = lines.filter((line) => line.trim() !== "").at(-1) ?? "";
    const base = { source: "screen", confidence: 1, hint: null, draft: null, decision: null, evidence: [last] } as const;
    if (dead) return { ...base, state: "exited" };
    if (last === "trust?") return { ...base, state: "blocked", hint: "Decide." };
    if (last === "working") return { ...base, state: "working" };
    return last.startsWith(">") ? { ...base, state: "idle", draft: last.slice(2) } : { ...base, state: "starting" };
  },
};

const started = (start: Start = {}) => fixture({ adapters: [starting], programs: { start: startingProgram(start) } });

async function launched(start: Start = {}) {
  const each = started(start);
  const { session, receipt } = await each.sessions.create({ agent: "starting", cwd: "/w", name: "demo", prompt: "first words" });
  return { ...each, receipt, id: session.record.id };
}

async function onlyTurn(sessions: Supervisor) {
  const [turn] = await sessions.turns({ session: "demo" });
  if (turn === undefined) throw new Error("there is no turn");
  return turn;
}

async function press({ sessions, tmux }: Fixture, key: string): Promise<void> {
  const { pane } = (await sessions.show({ session: "demo" })).record;
  if (pane === null) throw new Error("it has no terminal");
  await tmux.driver.keys(pane, [key]);
}

const ended = (sessions: Supervisor, turn: string) => sessions.turn({ session: "demo", turn, wait_ms: 600_000 });

describe("first prompt behind a start-up dialog", () => {
  test("waits, names the reason, and runs once the dialog is answered", async () => {
    const each = await launched();
    const turn = await onlyTurn(each.sessions);
    expect(each.receipt).toMatchObject({ outcome: "held", reason: "carried", id: turn.turn.id });
    expect(turn).toMatchObject({ state: "queued", position: 1, held: { reason: "dialog", hint: "Decide." }, turn: { started_at: null } });
    expect(await each.sessions.show({ session: "demo" })).toMatchObject({ turn: null, queued: 1 });
    await press(each, "y");
    expect((await ended(each.sessions, turn.turn.id)).turn).toMatchObject({ outcome: "completed", receipt: { outcome: "submitted" } });
    expect(each.events.filter(({ type }) => type === "turn_started")).toHaveLength(1);
  });

  test("still waits in the next daemon", async () => {
    const each = await launched();
    const { turn } = await onlyTurn(each.sessions);
    const next = each.restarted();
    expect(await onlyTurn(next)).toMatchObject({ state: "queued", turn: { id: turn.id } });
    await press(each, "y");
    expect((await ended(next, turn.id)).turn).toMatchObject({ outcome: "completed" });
  });

  test.each(["create.intended", "create.opened", "create.recorded"] as const)(
    "has one turn with an outcome also when the daemon ends at %s",
    async (step) => {
      const each = started();
      each.crashAt(step);
      await expect(each.sessions.create({ agent: "starting", cwd: "/w", name: "demo", prompt: "first words" })).rejects.toThrow();
      each.crashAt(null);
      const next = each.restarted();
      await next.reconcile();
      await next.reconcile();
      const { turn } = await onlyTurn(next);
      const { state } = (await next.show({ session: "demo" })).record;
      if (state === "active") await press({ ...each, sessions: next }, "y");
      expect((await ended(next, turn.id)).turn).toMatchObject({ outcome: state === "active" ? "completed" : "failed" });
      expect(await next.turns({ session: "demo" })).toHaveLength(1);
      expect([step, state]).toEqual([step, step === "create.intended" ? "errored" : "active"]);
    },
  );

  test("cannot be moved or cleared once the agent has it; a cancel reports that the agent was not seen to stop", async () => {
    const each = await launched();
    const { turn } = await onlyTurn(each.sessions);
    const behind = await each.sessions.submit({ session: "demo", prompt: "later", queue: true });
    await expect(each.sessions.moveTurn({ session: "demo", turn: turn.id, place: { to: "back" } })).rejects.toMatchObject({
      code: "INVALID_STATE",
    });
    await each.sessions.moveTurn({ session: "demo", turn: behind.turn.id, place: { to: "front" } });
    expect((await each.sessions.queue({ session: "demo" })).waiting.map((each) => each.turn.id)).toEqual([turn.id, behind.turn.id]);
    expect((await each.sessions.clearQueue({ session: "demo" })).map((each) => each.turn.id)).toEqual([behind.turn.id]);
    const cancelled = await each.sessions.cancel({ session: "demo", turn: turn.id });
    expect(cancelled.turn).toMatchObject({ outcome: "cancelled", reason: "not_seen_to_stop", confirmed: false });
  });

  test("cancelled while the session runs, has a receipt with that reason, also for a repeated creation", async () => {
    const each = started();
    const asked = { id: "11111111-2222-4333-8444-555555555555", agent: "starting", cwd: "/w", name: "demo", prompt: "first words" };
    const send = (await each.sessions.create(asked)).turn_id ?? "";
    expect((await each.sessions.cancelSend({ session: "demo", send })).receipt).toMatchObject({ outcome: "held", reason: "carried" });
    await each.sessions.cancel({ session: "demo", turn: send });
    const { receipt } = await each.sessions.receipt({ session: "demo", send });
    expect(receipt).toMatchObject({ outcome: "unconfirmed", reason: "carried" });
    expect(receipt.evidence.at(-1)).toBe("it was cancelled, but the agent has it and may still start on it");
    expect((await each.sessions.create(asked)).receipt).toEqual(receipt);
  });

  test("fails with the session when the user answers No, and is not launched again", async () => {
    const each = await launched();
    each.sessions.start();
    const { turn } = await onlyTurn(each.sessions);
    await press(each, "n");
    expect((await ended(each.sessions, turn.id)).turn).toMatchObject({ outcome: "failed", reason: "session_exited" });
    await expect.poll(async () => (await recordOf(each, "demo")).state).toBe("stopped");
    expect(await recordOf(each, "demo")).toMatchObject({ stop_cause: "deliberate", auto_resume: null });
    await each.sessions.close();
  });
});

test("a first prompt does not block later sends when tmux does not answer during the start", async () => {
  const each = started({ trusted: true, leaves: true, later: () => each.tmux.stopServer() });
  const { receipt } = await each.sessions.create({ agent: "starting", cwd: "/w", name: "demo", prompt: "first words" });
  expect(receipt).toMatchObject({ outcome: "held", reason: "carried", evidence: expect.arrayContaining(["tmux did not answer"]) });
  each.tmux.continueServer();
  const { turn } = await onlyTurn(each.sessions);
  await expect.poll(async () => (await each.sessions.turn({ session: "demo", turn: turn.id })).turn.started_at).not.toBeNull();
});

test.each([
  ["while it is created", 0],
  ["later", 20],
] as const)("a first prompt is followed further after tmux failed, which is reported once (%s)", async (_, looks) => {
  const each = started({ inputMs: 0 });
  const fail = () => {
    for (let times = 0; times < 5; times++) each.tmux.failNext("capture", new TmpmError("TMUX_FAILED", "tmux refused"));
  };
  if (looks === 0) each.onStep((step) => void (step === "create.recorded" && fail()));
  const { receipt } = await each.sessions.create({ agent: "starting", cwd: "/w", name: "demo", prompt: "first words" });
  each.onStep(null);
  expect(receipt).toMatchObject({ outcome: "held", reason: "carried" });
  if (looks > 0) fail();
  await expect.poll(() => each.faults.length).toBe(1);
  await press(each, "y");
  const { turn } = await onlyTurn(each.sessions);
  expect((await ended(each.sessions, turn.id)).turn).toMatchObject({ outcome: "completed" });
  expect(each.faults).toMatchObject([{ error: { code: "TMUX_FAILED" } }]);
});

describe("first prompt that an agent puts into its input", () => {
  test("is submitted with Enter where the agent does not submit it", async () => {
    const each = await launched({ trusted: true, leaves: true });
    expect(each.receipt).toMatchObject({ outcome: "submitted", reason: "carried" });
    expect(each.receipt?.evidence).toContain("the agent put the prompt into its input and did not submit it");
    const { turn } = await onlyTurn(each.sessions);
    expect(msFromTimestamp(turn.started_at ?? turn.accepted_at) - msFromTimestamp(turn.accepted_at)).toBeGreaterThanOrEqual(45_000);
  });

  test("stays there once its turn was cancelled", async () => {
    const cancels: Promise<unknown>[] = [];
    const cancel = async () => each.sessions.cancel({ session: "demo", turn: (await onlyTurn(each.sessions)).turn.id });
    const each = started({ trusted: true, leaves: true, later: () => void cancels.push(cancel()) });
    const { receipt } = await each.sessions.create({ agent: "starting", cwd: "/w", name: "demo", prompt: "first words" });
    await Promise.all(cancels);
    expect([receipt?.outcome, cancels.length]).toEqual(["unconfirmed", 1]);
    expect((await each.sessions.capture({ session: "demo" })).lines.join("\n")).not.toContain("working");
  });
});

describe("an input drawn before the first dialog", () => {
  test("is not idle until the dialog is ruled out", async () => {
    const each = started({ inputMs: 600 });
    await each.sessions.create({ agent: "starting", cwd: "/w", name: "demo" });
    await each.sessions.wait({ session: "demo", until: "blocked", timeout_ms: 60_000 });
    const states = each.events.flatMap((event) => (event.type === "session_activity_changed" ? [event.activity.state] : []));
    expect(states).not.toContain("idle");
  });

  test("is idle when no dialog follows", async () => {
    const each = started({ trusted: true });
    await each.sessions.create({ agent: "starting", cwd: "/w", name: "demo" });
    expect((await each.sessions.wait({ session: "demo", until: "idle", timeout_ms: 60_000 })).activity.state).toBe("idle");
  });
});
