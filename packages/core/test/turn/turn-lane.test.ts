import { describe, expect, test } from "vitest";
import {
  type CancelCause,
  EMPTY_LANE,
  isNextTurn,
  laneAfter,
  laneDepth,
  runningTurns,
  Turn,
  type TurnEvent,
  type TurnLane,
  waitingTurns,
} from "../../src/index.js";

const NOW = "2026-01-01T00:00:00.000Z";
const LATER = "2026-01-01T00:00:09.000Z";

function turn(generation: number): Turn {
  return Turn.parse({
    id: id(generation),
    session_id: "00000000-0000-4000-8000-00000000000a",
    project_id: "default",
    generation,
    state: "queued",
    one_at_a_time: true,
    place: generation,
    key: null,
    prompt: `prompt ${generation}`,
    prompt_bytes: 8,
    prompt_digest: "d",
    accepted_at: NOW,
  });
}

function id(generation: number): string {
  return `00000000-0000-4000-9000-${String(generation).padStart(12, "0")}`;
}

const accepted = (generation: number): TurnEvent => ({ type: "accepted", turn: turn(generation) });
const started = (generation: number): TurnEvent => ({ type: "started", id: id(generation), at: NOW, receipt: null });
const ready = (generation: number): TurnEvent => ({ type: "ended", generation, how: "ready" });
const cancelling = (generation: number, cause: CancelCause = "client_rpc"): TurnEvent => ({ type: "cancelling", generation, cause });

/** The lane after the events, and every outcome in order. */
function after(...events: readonly TurnEvent[]): { readonly lane: TurnLane; readonly ended: readonly Turn[] } {
  let lane = EMPTY_LANE;
  const ended: Turn[] = [];
  for (const event of events) {
    const change = laneAfter(lane, event, LATER);
    lane = change.lane;
    ended.push(...change.changed.filter(({ state }) => state === "ended"));
  }
  return { lane, ended };
}

const brief = ({ generation, outcome, cause, reason }: Turn) => [generation, outcome, cause, reason];

describe("turn", () => {
  test("waits, runs, and completes when the agent is ready", () => {
    const { lane, ended } = after(accepted(1), started(1), ready(1));
    expect(lane).toEqual(EMPTY_LANE);
    expect(ended).toEqual([{ ...turn(1), state: "ended", started_at: NOW, ended_at: LATER, outcome: "completed", reason: "ready" }]);
  });

  test("reports a code when it fails", () => {
    const failed = (generation: number): TurnEvent => ({ type: "failed", id: id(generation), reason: "waited_too_long", receipt: null });
    const { ended } = after(accepted(1), failed(1), accepted(2), started(2), { type: "ended", generation: 2, how: "agent_errored" });
    expect(ended.map(({ outcome, reason, code }) => [outcome, reason, code])).toEqual([
      ["failed", "waited_too_long", "TIMEOUT"],
      ["failed", "agent_errored", "AGENT_FAILED"],
    ]);
  });

  test("has one outcome, whatever follows", () => {
    const late: TurnEvent[] = [
      ready(1),
      cancelling(1, "admin_kill"),
      { type: "failed", id: id(1), reason: "refused", receipt: null },
      started(1),
      { type: "delivering", id: id(1) },
      { type: "spared", generation: 1, cause: "client_rpc" },
      { type: "gone" },
    ];
    expect(after(accepted(1), started(1), ready(1), ...late).ended.map(brief)).toEqual([[1, "completed", null, "ready"]]);
  });

  test("ignores events for the previous turn (zeroclaw 18, 19)", () => {
    const { lane, ended } = after(accepted(1), started(1), ready(1), accepted(2), started(2), ready(1), cancelling(1));
    expect(runningTurns(lane)).toMatchObject([{ generation: 2, cause: null }]);
    expect(ended.map(brief)).toEqual([[1, "completed", null, "ready"]]);
  });

  test("merged into a running turn ends with it", () => {
    const { lane, ended } = after(accepted(1), started(1), accepted(2), started(2), ready(1), ready(2));
    expect([lane.open.length, ended.length]).toEqual([0, 2]);
  });
});

describe("cancel", () => {
  test("ends a waiting turn at once and leaves the next one", () => {
    const { lane, ended } = after(accepted(1), accepted(2), cancelling(1));
    expect(ended.map(brief)).toEqual([[1, "cancelled", "client_rpc", "taken_back"]]);
    expect(isNextTurn(lane, id(2))).toBe(true);
  });

  test("ends a running turn once the agent stops, and is unconfirmed if it was not seen to stop", () => {
    expect(after(accepted(1), started(1), cancelling(1)).ended).toEqual([]);
    const stopped = after(accepted(1), started(1), cancelling(1), ready(1)).ended;
    expect(stopped).toMatchObject([{ outcome: "cancelled", cause: "client_rpc", reason: "interrupted", confirmed: true }]);
    const deaf = after(accepted(1), started(1), cancelling(1), { type: "ended", generation: 1, how: "not_seen_to_stop" }, ready(1));
    expect(deaf.ended).toMatchObject([{ outcome: "cancelled", cause: "client_rpc", reason: "not_seen_to_stop", confirmed: false }]);
  });

  test("takes the kill's cause when a kill overtakes it (zeroclaw 23)", () => {
    const { ended } = after(accepted(1), started(1), cancelling(1), { type: "closing", cause: "admin_kill" }, { type: "gone" });
    expect(ended.map(brief)).toEqual([[1, "cancelled", "admin_kill", "session_closed"]]);
  });

  test("without effect leaves no cause (zeroclaw 20, 21)", () => {
    const uncancelled = after(cancelling(1), accepted(1), started(1), ready(1));
    expect(uncancelled.ended.map(brief)).toEqual([[1, "completed", null, "ready"]]);
    const spared = after(accepted(1), started(1), cancelling(1), { type: "spared", generation: 1, cause: "client_rpc" }, ready(1));
    expect(spared.ended.map(brief)).toEqual([[1, "completed", null, "ready"]]);
    const superseded = after(accepted(1), started(1), cancelling(1, "superseded"), ready(1));
    expect(superseded.ended.map(brief)).toEqual([[1, "cancelled", "superseded", "interrupted"]]);
  });

  test("during delivery is final if nothing was typed, unconfirmed if something may have been", () => {
    const way: TurnEvent[] = [accepted(1), { type: "delivering", id: id(1) }, cancelling(1)];
    const receipt = { id: null, bytes: 1, evidence: [], altered: null, hint: null } as const;
    const fail = (outcome: "refused" | "unconfirmed"): TurnEvent => ({
      type: "failed",
      id: id(1),
      reason: "refused",
      receipt: { ...receipt, evidence: [], outcome, reason: "cancelled" },
    });
    expect(after(...way, { type: "held", id: id(1) }).ended.map(brief)).toEqual([[1, "cancelled", "client_rpc", "taken_back"]]);
    expect(after(...way, fail("refused")).ended.map(brief)).toEqual([[1, "cancelled", "client_rpc", "taken_back"]]);
    expect(after(...way, fail("unconfirmed")).ended).toMatchObject([{ outcome: "cancelled", confirmed: false }]);
    expect(runningTurns(after(...way, started(1)).lane)).toMatchObject([{ cause: "client_rpc" }]);
  });
});

describe("session end", () => {
  test("on request ends waiting turns at once, and running ones with the program, with one cause (zeroclaw 11, 22, 34)", () => {
    const closing = after(accepted(1), started(1), accepted(2), accepted(3), { type: "closing", cause: "session_removed" });
    expect(closing.ended.map(brief)).toEqual([2, 3].map((n) => [n, "cancelled", "session_removed", "session_closed"]));
    const gone = laneAfter(closing.lane, { type: "gone" }, LATER);
    expect(gone.changed.map(brief)).toEqual([[1, "cancelled", "session_removed", "session_closed"]]);
    expect(gone.lane).toEqual(EMPTY_LANE);
  });

  test("unrequested fails all turns with PANE_DEAD", () => {
    const { ended } = after(accepted(1), started(1), accepted(2), { type: "gone" });
    expect(ended.map(({ outcome, cause, code }) => [outcome, cause, code])).toEqual([1, 2].map(() => ["failed", null, "PANE_DEAD"]));
  });

  test("that failed lets the running turn continue without a cause, also at a later exit", () => {
    const open = after(accepted(1), started(1), { type: "closing", cause: "admin_kill" }, { type: "reopened" });
    expect(laneAfter(open.lane, ready(1), LATER).changed.map(brief)).toEqual([[1, "completed", null, "ready"]]);
    expect(laneAfter(open.lane, { type: "gone" }, LATER).changed.map(brief)).toEqual([[1, "failed", null, "session_exited"]]);
  });
});

describe("order of turns", () => {
  test("follows acceptance until one is moved; running and typed turns come first", () => {
    const moved = after(accepted(1), accepted(2), accepted(3), started(1), { type: "moved", id: id(3), place: 1.5 });
    expect(waitingTurns(moved.lane).map(({ generation }) => generation)).toEqual([3, 2]);
    const typed = laneAfter(moved.lane, { type: "delivering", id: id(3) }, NOW).lane;
    const overtaken = laneAfter(typed, { type: "moved", id: id(2), place: 0 }, NOW).lane;
    expect(overtaken.open.map(({ generation, state }) => [generation, state])).toEqual([
      [1, "running"],
      [3, "delivering"],
      [2, "queued"],
    ]);
    expect([isNextTurn(overtaken, id(3)), isNextTurn(overtaken, id(2)), isNextTurn(overtaken, id(1))]).toEqual([true, false, false]);
  });

  test("depth counts merged running turns as one (zeroclaw 29, 31)", () => {
    expect(laneDepth(EMPTY_LANE)).toBe(0);
    expect(laneDepth(after(accepted(1)).lane)).toBe(1);
    expect(laneDepth(after(accepted(1), started(1), accepted(2)).lane)).toBe(2);
    expect(laneDepth(after(accepted(1), started(1), accepted(2), started(2), accepted(3)).lane)).toBe(2);
    expect(laneDepth(after(accepted(1), started(1), ready(1)).lane)).toBe(0);
  });
});
