import { expect } from "vitest";
import type { Step } from "../../src/index.js";
import { recordOf } from "../fixtures/host-fixture.js";
import { brief, endedTurns, outcome, submit, until } from "../fixtures/turn-steps.js";
import { eventually, promptsOf, type TerminalCase } from "./terminal-fixture.js";

const TYPED = ["hello", "\r"];

/** The outcome of a text with a key whose daemon is killed at a step of its sending. */
const ENDS: readonly (readonly [Step, string, string, readonly string[]])[] = [
  ["send.accepted", "submitted", "screen", TYPED],
  ["send.pasting", "refused", "interrupted", []],
  ["send.pasted", "submitted", "screen", TYPED],
  ["send.arrived", "submitted", "screen", TYPED],
  ["send.entering", "submitted", "screen", TYPED],
  ["send.entered", "submitted", "screen", TYPED],
  ["send.confirmed", "submitted", "screen", TYPED],
];

/** The end of a daemon, and the next one's result for the terminals of the first. */
export const CRASH_CASES: readonly TerminalCase[] = [
  ...ENDS.map(([step, result, reason, typed]) => ({
    title: `a daemon killed at ${step} leaves a text that the next one concludes as ${result} (${reason}), typed at most once`,
    async run({ fixture, compose, received }: Parameters<TerminalCase["run"]>[0]) {
      await compose();
      const keyed = { session: "demo", text: "hello", idempotency_key: "k" };
      const killed = fixture.killedAt(step);
      void fixture.sessions.send(keyed);
      await killed;
      const next = fixture.next();
      await eventually(async () => (await next.sends({ session: "demo" })).every(({ entry }) => entry.step === "done")).toBe(true);
      const [first, ...rest] = await next.sends({ session: "demo" });
      expect(rest).toEqual([]);
      expect(first?.receipt).toMatchObject({ outcome: result, reason });
      expect((await next.send(keyed)).receipt).toEqual(first?.receipt);
      expect(await received()).toEqual(typed);
      await next.wait({ session: "demo", until: "idle", timeout_ms: 30_000 });
      expect((await next.send({ session: "demo", text: "again" })).receipt.outcome).toBe("submitted");
      expect(await received()).toEqual([...typed, "again", "\r"]);
      expect(fixture.faults).toEqual([]);
    },
  })),
  {
    title: "a killed daemon leaves a running turn and a queue to the next one, which continues with them",
    async run({ fixture, turner, received }) {
      await turner();
      const [first, second] = [await submit(fixture, "work 1500"), await submit(fixture, "work 100")];
      await eventually(() => fixture.events.some(({ type }) => type === "turn_started")).toBe(true);
      const before = await recordOf(fixture, "demo");
      const next = fixture.next();
      expect(brief(await outcome(next, first))).toEqual(["completed", null, expect.stringMatching(/^ready$|^ended_while_away$/)]);
      expect((await outcome(next, second)).outcome).toBe("completed");
      expect(promptsOf(await received())).toEqual(["work 1500", "work 100"]);
      expect(await recordOf(fixture, "demo")).toMatchObject({ id: before.id, state: "active", pane: before.pane });
      expect(endedTurns(fixture)).toHaveLength(2);
    },
  },
  {
    title: "a turn fails when its agent ended while no daemon ran, and its session stops with the status",
    settings: { autoResume: false },
    async run({ fixture, turner }) {
      await turner();
      const turn = await submit(fixture, "for ever");
      await until(fixture.sessions, turn, "running");
      const { pid } = await recordOf(fixture, "demo");
      const next = fixture.next();
      process.kill(pid ?? 0, "SIGTERM");
      await eventually(async () => (await fixture.panes()).every(({ exit }) => exit !== null)).toBe(true);
      await next.reconcile();
      expect(brief(await outcome(next, turn))).toEqual(["failed", null, "session_exited"]);
      expect(await recordOf(fixture, "demo")).toMatchObject({ state: "stopped", exit: { signal: 15 }, intent: null });
      expect(endedTurns(fixture)).toHaveLength(1);
    },
  },
  {
    title: "a stop requested of a killed daemon is recorded as the cause of the end",
    async run({ fixture, turner, received }) {
      await turner();
      const turn = await submit(fixture, "for ever");
      await until(fixture.sessions, turn, "running");
      const killed = fixture.killedAt("stop.killed");
      void fixture.sessions.stop({ session: "demo" });
      await killed;
      const next = fixture.next();
      await next.reconcile();
      expect(brief(await outcome(next, turn))).toEqual(["cancelled", "admin_kill", "session_closed"]);
      expect(await recordOf(fixture, "demo")).toMatchObject({ state: "stopped", stop_cause: "deliberate", intent: null });
      expect(await fixture.panes()).toEqual([]);
      expect(promptsOf(await received())).toEqual(["for ever"]);
    },
  },
];
