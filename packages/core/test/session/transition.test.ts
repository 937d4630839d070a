import { canTransition, isTerminal, type SessionEvent, SessionState, TmpmError, transition } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { aRecord, PANE } from "../a-record.js";

const NOW = "2026-02-03T04:05:06Z";
const EXIT = { status: 0, signal: null, at: NOW };
const STATES = SessionState.options;

/**
 * The target state of each event in each state; absent is INVALID_STATE (trusty-mpm 4.3, and a failed resume leads from `stopped` to
 * `errored`).
 */
const EXPECTED: Record<SessionEvent["type"], Partial<Record<SessionState, SessionState>>> = {
  launched: { provisioning: "active", stopped: "active", errored: "active" },
  found: { active: "active", stopped: "active", errored: "active" },
  stopped: { provisioning: "stopped", active: "stopped", errored: "stopped" },
  failed: { provisioning: "errored", active: "errored", stopped: "errored", errored: "errored" },
  paused: { active: "active" },
  unpaused: { active: "active" },
  decommissioned: { provisioning: "decommissioned", active: "decommissioned", stopped: "decommissioned", errored: "decommissioned" },
  deleted: { stopped: "deleted", errored: "deleted" },
  reactivated: { decommissioned: "stopped", deleted: "stopped" },
};

const EVENTS: readonly SessionEvent[] = [
  { type: "launched", pane: PANE, pid: 77 },
  { type: "found", pane: PANE, pid: 77 },
  { type: "stopped", cause: "deliberate", exit: EXIT, last_lines: ["bye"] },
  { type: "failed", error: { code: "LAUNCH_FAILED", message: "it ended" }, exit: EXIT, last_lines: ["oops"] },
  { type: "paused", summary: "lunch" },
  { type: "unpaused" },
  { type: "decommissioned" },
  { type: "deleted" },
  { type: "reactivated" },
];

/** A record with every field set that an event may clear. */
function fullRecord(state: SessionState) {
  return aRecord({
    state,
    pane: PANE,
    pid: 77,
    paused_at: "2026-01-01T00:00:00Z",
    pause_summary: "lunch",
    pending_decision: "allow?",
    proposed_default: "no",
    intent: { op: "stop", step: "kill", key: "k", at: "2026-01-01T00:00:00Z" },
    stop_cause: "unexpected",
    exit: { status: 1, signal: null, at: "2026-01-01T00:00:00Z" },
    last_lines: ["old"],
    last_error: { code: "INTERNAL", message: "old", at: "2026-01-01T00:00:00Z" },
    viewed_at: "2026-01-01T00:00:00Z",
    task: "fix it",
    future_field: { kept: true },
  });
}

const every = EVENTS.flatMap((event) => STATES.map((state) => ({ event, state, to: EXPECTED[event.type][state] })));

describe("transition table", () => {
  test.each(every.filter(({ to }) => to !== undefined))("$event.type leads from $state to $to", ({ event, state, to }) => {
    const before = fullRecord(state);
    const copy = structuredClone(before);
    const after = transition(before, event, NOW);
    expect(after).toMatchObject({
      state: to,
      updated_at: NOW,
      intent: event.type === "paused" || event.type === "unpaused" ? before.intent : null,
      rev: before.rev,
      task: "fix it",
      future_field: { kept: true },
    });
    expect(canTransition(before, event.type)).toBe(true);
    expect(before).toEqual(copy);
  });

  test.each(every.filter(({ to }) => to === undefined))(
    "$event.type is rejected in $state, and the message lists the allowed states",
    ({ event, state }) => {
      const before = fullRecord(state);
      const allowed = Object.keys(EXPECTED[event.type]);
      expect(canTransition(before, event.type)).toBe(false);
      expect(() => transition(before, event, NOW)).toThrow(
        expect.objectContaining({
          code: "INVALID_STATE",
          effect: "none",
          details: { id: before.id, state, allowed: expect.arrayContaining(allowed) },
          message: expect.stringMatching(new RegExp(`demo.*'${state}'.*${allowed[0]}`)),
        }),
      );
    },
  );

  test("decommissioned and deleted are terminal, except for reactivated", () => {
    expect(STATES.filter((state) => isTerminal({ state }))).toEqual(["decommissioned", "deleted"]);
    const leaving = every.filter(({ state, to }) => isTerminal({ state }) && to !== undefined);
    expect(leaving.map(({ event }) => event.type)).toEqual(["reactivated", "reactivated"]);
  });

  test("unpaused is rejected for a session that is not paused", () => {
    const record = aRecord();
    expect(canTransition(record, "unpaused")).toBe(false);
    expect(() => transition(record, { type: "unpaused" }, NOW)).toThrow(expect.objectContaining({ code: "INVALID_STATE" }));
  });
});

describe("fields after an event", () => {
  test("launched sets the pane and clears fields of the last run", () => {
    const after = transition(fullRecord("stopped"), { type: "launched", pane: PANE, pid: 78 }, NOW);
    expect(after).toMatchObject({
      pane: PANE,
      pid: 78,
      launched_at: NOW,
      stop_cause: null,
      exit: null,
      last_lines: [],
      last_error: null,
      viewed_at: null,
    });
  });

  test("stopped keeps cause, exit and last lines, and clears pane, pause and question", () => {
    const after = transition(fullRecord("active"), { type: "stopped", cause: "unexpected", exit: EXIT, last_lines: ["bye"] }, NOW);
    expect(after).toMatchObject({
      stop_cause: "unexpected",
      exit: EXIT,
      last_lines: ["bye"],
      pane: null,
      pid: null,
      paused_at: null,
      pause_summary: null,
    });
    expect(after).toMatchObject({ pending_decision: null, proposed_default: null });
  });

  test("failed twice replaces the error and keeps the task (trusty case 30)", () => {
    const fail = (message: string): SessionEvent => ({
      type: "failed",
      error: { code: "LAUNCH_FAILED", message },
      exit: null,
      last_lines: [],
    });
    const after = transition(transition(fullRecord("active"), fail("first"), NOW), fail("second"), NOW);
    expect(after).toMatchObject({ last_error: { code: "LAUNCH_FAILED", message: "second", at: NOW }, task: "fix it", pane: null });
  });

  test("paused keeps the pane and sets the time; unpaused clears it", () => {
    const paused = transition(aRecord({ pane: PANE }), { type: "paused", summary: "lunch" }, NOW);
    expect(paused).toMatchObject({ paused_at: NOW, pause_summary: "lunch", pane: PANE });
    expect(transition(paused, { type: "unpaused" }, NOW)).toMatchObject({ paused_at: null, pause_summary: null, pane: PANE });
  });

  test("paused again keeps the time, and the summary unless a new one is given", () => {
    const paused = transition(aRecord({ pane: PANE }), { type: "paused", summary: "lunch" }, NOW);
    const again = transition(paused, { type: "paused", summary: null }, "2026-02-03T05:00:00Z");
    expect(again).toMatchObject({ paused_at: NOW, pause_summary: "lunch" });
    expect(transition(again, { type: "paused", summary: "dinner" }, NOW).pause_summary).toBe("dinner");
  });

  test.each(["decommissioned", "deleted"] as const)("%s sets terminal_at once and clears the question", (type) => {
    const after = transition(fullRecord("stopped"), { type }, NOW);
    expect(after).toMatchObject({ terminal_at: NOW, pending_decision: null, proposed_default: null, pane: null, pid: null });
    const stamped = transition({ ...fullRecord("errored"), terminal_at: "2026-01-01T00:00:00Z" }, { type }, NOW);
    expect(stamped.terminal_at).toBe("2026-01-01T00:00:00Z");
  });

  test("reactivated does not auto-resume: it counts as stopped deliberately", () => {
    const after = transition({ ...fullRecord("deleted"), terminal_at: NOW }, { type: "reactivated" }, NOW);
    expect(after).toMatchObject({ state: "stopped", terminal_at: null, stop_cause: "deliberate" });
  });
});

test("a rejected event names how to reach the state", () => {
  const hint = (state: SessionState, type: "paused" | "deleted" | "reactivated") => {
    const event: SessionEvent = type === "paused" ? { type, summary: null } : { type };
    try {
      transition(aRecord({ state, name: "web" }), event, NOW);
    } catch (error) {
      return error instanceof TmpmError ? error.hint : error;
    }
    return "allowed";
  };
  expect(hint("stopped", "paused")).toBe("`tmpm resume web` restarts it.");
  expect(hint("active", "deleted")).toBe("`tmpm stop web` ends it first.");
  expect(hint("decommissioned", "paused")).toBe("`tmpm undo web` restores it.");
  expect(hint("stopped", "reactivated")).toBe("`tmpm rm web` removes it.");
});
