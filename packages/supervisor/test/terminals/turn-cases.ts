import { expect } from "vitest";
import type { TurnFacts } from "../../src/index.js";
import type { RealFixture } from "../fixtures/real-fixture.js";
import { brief, endedTurns, outcome, submit, until } from "../fixtures/turn-steps.js";
import { eventually, promptsOf, type TerminalCase } from "./terminal-fixture.js";

async function running(fixture: RealFixture, prompt: string): Promise<TurnFacts> {
  const turn = await submit(fixture, prompt);
  await until(fixture.sessions, turn, "running");
  return turn;
}

/** Prompts with a working time, one after another. */
export const TURN_CASES: readonly TerminalCase[] = [
  {
    title: "turns complete one after the other, first in, first out, exactly once",
    async run({ fixture, turner, received }) {
      await turner();
      const prompts = [1, 2, 3].map((n) => `work ${n}00`);
      const turns = [];
      for (const prompt of prompts) turns.push(await submit(fixture, prompt));
      for (const turn of turns) expect(brief(await outcome(fixture.sessions, turn))).toEqual(["completed", null, "ready"]);
      expect(promptsOf(await received())).toEqual(prompts);
      const order = fixture.events.flatMap((event) =>
        event.type === "turn_started" || event.type === "turn_ended" ? [event.turn_id] : [],
      );
      expect(order).toEqual(turns.flatMap(({ turn }) => [turn.id, turn.id]));
    },
  },
  {
    title: "a turn waits for approval, continues after the answer, and is answered once",
    async run({ fixture, turner }) {
      await turner();
      const turn = await submit(fixture, "ask");
      const { decision_id } = await until(fixture.sessions, turn, "waiting_approval");
      const approve = () => fixture.sessions.answer({ session: "demo", decision_id: decision_id ?? "", answer: { kind: "approve" } });
      const both = await Promise.allSettled([approve(), approve()]);
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "DECISION_GONE" } });
      expect(brief(await outcome(fixture.sessions, turn))).toEqual(["completed", null, "ready"]);
    },
  },
  {
    title: "cancelling a turn that waits for approval refuses the request",
    async run({ fixture, turner, received }) {
      await turner();
      const turn = await submit(fixture, "ask");
      await until(fixture.sessions, turn, "waiting_approval");
      expect((await fixture.sessions.cancel({ session: "demo" })).turn).toMatchObject({ outcome: "cancelled", confirmed: true });
      expect((await received()).at(-1)).toBe("n");
    },
  },
  {
    title: "a turn fails when the agent reports a failure, and when its program ends",
    settings: { readyMs: 5_000 },
    async run({ fixture, turner, received }) {
      await turner();
      const failed = await outcome(fixture.sessions, await submit(fixture, "fail"));
      expect([failed.outcome, failed.code]).toEqual(["failed", "AGENT_FAILED"]);
      const [last, behind] = [await submit(fixture, "exit"), await submit(fixture, "work 1")];
      const ended = await outcome(fixture.sessions, last);
      expect([ended.outcome, ended.code, ended.reason]).toEqual(["failed", "PANE_DEAD", "session_exited"]);
      expect(brief(await outcome(fixture.sessions, behind))).toEqual(["failed", null, "session_exited"]);
      expect(promptsOf(await received())).toEqual(["fail", "exit"]);
    },
  },
  {
    title: "an interrupt presses the agent's keys while it works, reports a stop that was not seen, and presses nothing otherwise",
    settings: { confirmMs: 8_000, cancelGraceMs: 8_000 },
    async run({ fixture, turner, received }) {
      await turner();
      expect((await fixture.sessions.interrupt({ session: "demo" })).outcome).toBe("not_working");
      expect(await received()).toEqual([]);
      const first = await running(fixture, "for ever");
      expect((await fixture.sessions.interrupt({ session: "demo" })).outcome).toBe("interrupted");
      expect(brief(await outcome(fixture.sessions, first))).toEqual(["cancelled", "client_rpc", "interrupted"]);
      expect((await received()).at(-1)).toBe("\u001b");
      await running(fixture, "deaf");
      expect((await fixture.sessions.interrupt({ session: "demo" })).outcome).toBe("unconfirmed");
    },
  },
  {
    title: "an interrupting send runs before queued ones",
    async run({ fixture, turner, received }) {
      await turner();
      const first = await running(fixture, "for ever");
      const waiting = await submit(fixture, "work 1");
      expect((await fixture.sessions.send({ session: "demo", text: "work 200", interrupt: true })).receipt.outcome).toBe("submitted");
      expect(brief(await outcome(fixture.sessions, first))).toEqual(["cancelled", "superseded", "interrupted"]);
      expect((await outcome(fixture.sessions, waiting)).outcome).toBe("completed");
      expect(promptsOf(await received())).toEqual(["for ever", "work 200", "work 1"]);
    },
  },
  {
    title: "a pause holds the queue and ends no turn, and cancels one turn or all with nothing typed of them",
    async run({ fixture, turner, received }) {
      await turner();
      const first = await submit(fixture, "ask");
      const { decision_id } = await until(fixture.sessions, first, "waiting_approval");
      await fixture.sessions.pause({ session: "demo" });
      const waiting = [await submit(fixture, "work 1"), await submit(fixture, "work 2"), await submit(fixture, "work 3")] as const;
      await fixture.sessions.answer({ session: "demo", decision_id: decision_id ?? "", answer: { kind: "approve" } });
      expect((await outcome(fixture.sessions, first)).outcome).toBe("completed");
      expect((await fixture.sessions.turn({ session: "demo", turn: waiting[0].turn.id, wait_ms: 300 })).held?.reason).toBe("paused");
      await fixture.sessions.cancel({ session: "demo", turn: waiting[0].turn.id });
      expect(await fixture.sessions.clearQueue({ session: "demo" })).toHaveLength(2);
      await fixture.sessions.resume({ session: "demo" });
      expect((await outcome(fixture.sessions, await submit(fixture, "work 9"))).outcome).toBe("completed");
      expect((await received()).join("")).toBe("ask\rywork 9\r");
    },
  },
  ...(["stop", "restart", "remove"] as const).map((end) => ({
    title: `a queue ends with a ${end} of its session, and nothing of it reaches an agent afterwards`,
    async run({ fixture, turner, received }: Parameters<TerminalCase["run"]>[0]) {
      await turner();
      const turns = [await running(fixture, "for ever"), await submit(fixture, "work 1"), await submit(fixture, "work 2")];
      await fixture.sessions[end]({ session: "demo" });
      const cause = end === "remove" ? "session_removed" : "admin_kill";
      for (const turn of turns) expect(brief(await outcome(fixture.sessions, turn))).toEqual(["cancelled", cause, "session_closed"]);
      expect(endedTurns(fixture)).toHaveLength(3);
      expect(promptsOf(await received())).toEqual(["for ever"]);
    },
  })),
  {
    title: "a stuck session does not delay others",
    async run({ fixture, turner }) {
      await turner();
      await turner("other");
      await running(fixture, "deaf");
      await submit(fixture, "work 1");
      expect((await outcome(fixture.sessions, await submit(fixture, "work 100", "other"))).outcome).toBe("completed");
      expect(await fixture.sessions.queue({ session: "demo" })).toMatchObject({ depth: 2 });
      await eventually(() => endedTurns(fixture).length).toBe(1);
    },
  },
];
