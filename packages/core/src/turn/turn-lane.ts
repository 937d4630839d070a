import type { Receipt } from "../send/receipt.js";
import type { Timestamp } from "../time/timestamp.js";
import type { CancelCause, Turn } from "./turn.js";
import { TURN_REASONS, type TurnReason } from "./turn-reasons.js";

/** The open turns of one session. Running and delivering turns come first, then waiting ones, in order. */
export interface TurnLane {
  readonly open: readonly Turn[];
  /** Why the session is being stopped or removed; null when it is not. */
  readonly closing: CancelCause | null;
}

export const EMPTY_LANE: TurnLane = { open: [], closing: null };

/** How a running turn may end. `not_seen_to_stop` only ends a cancelled one. */
export type TurnEnd = Extract<
  TurnReason,
  "ready" | "unobservable" | "ended_while_away" | "agent_errored" | "limit_reached" | "not_confirmed" | "not_seen_to_stop"
>;

/** Events of a session's turns. Late events never affect an ended turn or another generation. */
export type TurnEvent =
  | { readonly type: "accepted"; readonly turn: Turn }
  | { readonly type: "delivering"; readonly id: string }
  /** The turn must wait again; nothing was typed. */
  | { readonly type: "held"; readonly id: string }
  /** `at` is when its Enter was pressed. */
  | { readonly type: "started"; readonly id: string; readonly at: Timestamp; readonly receipt: Receipt | null }
  /** The prompt of a turn that began without one. */
  | { readonly type: "concluded"; readonly id: string; readonly receipt: Receipt }
  | {
      readonly type: "failed";
      readonly id: string;
      readonly reason: TurnReason;
      readonly code?: string | undefined;
      readonly receipt: Receipt | null;
    }
  | { readonly type: "ended"; readonly generation: number; readonly how: TurnEnd; readonly note?: string | null }
  /** Cancels a waiting turn at once, and a delivering or running one when the agent stops. The last cause counts. */
  | { readonly type: "cancelling"; readonly generation: number; readonly cause: CancelCause }
  /** The turn continues, since it could not be stopped. */
  | { readonly type: "spared"; readonly generation: number; readonly cause: CancelCause }
  | { readonly type: "moved"; readonly id: string; readonly place: number }
  /** The session is being stopped, restarted or removed. */
  | { readonly type: "closing"; readonly cause: CancelCause }
  /** The session was not stopped. */
  | { readonly type: "reopened" }
  /** The program is gone. */
  | { readonly type: "gone" };

export interface LaneChange {
  readonly lane: TurnLane;
  /** Each changed turn once, including ended turns, which have left the lane. */
  readonly changed: readonly Turn[];
}

/** The one table of turn transitions: pure, and the same for every host. */
export function laneAfter(lane: TurnLane, event: TurnEvent, now: Timestamp): LaneChange {
  switch (event.type) {
    case "accepted":
      return withTurns(lane, [...lane.open, event.turn], [event.turn]);
    case "delivering":
      return change(lane, byId(event.id, "queued"), (turn) => ({ ...turn, state: "delivering" }));
    case "held":
      return change(lane, byId(event.id, "delivering"), (turn) =>
        turn.cause === null ? { ...turn, state: "queued" } : takenBack(turn, now),
      );
    case "started":
      return change(lane, byId(event.id, "queued", "delivering"), (turn) => ({
        ...turn,
        state: "running",
        started_at: event.at,
        receipt: event.receipt,
      }));
    case "concluded":
      return change(lane, byId(event.id, "queued", "running"), (turn) => ({ ...turn, receipt: event.receipt }));
    case "failed":
      return change(lane, byId(event.id, "queued", "delivering"), (turn) => failed(turn, event, now));
    case "ended":
      return change(lane, begunOrHandedOver(event.generation), (turn) =>
        ended(turn, { how: event.how, note: event.note ?? null, closing: lane.closing, now }),
      );
    case "cancelling":
      return change(
        lane,
        (turn) => turn.generation === event.generation,
        (turn) => cancelling(turn, event.cause, now),
      );
    case "spared":
      return change(
        lane,
        (turn) => running(event.generation)(turn) && turn.cause === event.cause,
        (turn) => ({ ...turn, cause: null }),
      );
    case "moved":
      return change(lane, byId(event.id, "queued"), (turn) => ({ ...turn, place: event.place }));
    case "closing":
      return change({ ...lane, closing: event.cause }, isQueued, (turn) => closed(turn, event.cause, now));
    case "reopened":
      return { lane: { ...lane, closing: null }, changed: [] };
    case "gone":
      return change(
        { ...lane, closing: null },
        () => true,
        (turn) => gone(turn, { closing: lane.closing, now }),
      );
  }
}

/** Waiting turns, next first. */
export function waitingTurns({ open }: TurnLane): readonly Turn[] {
  return open.filter(isQueued);
}

export function runningTurns({ open }: TurnLane): readonly Turn[] {
  return open.filter(({ state }) => state === "running");
}

/** Whether the agent was launched with the prompt and has not started on it: it waits, but cannot be cancelled or moved. */
export function isHandedOver({ state, receipt }: Turn): boolean {
  return state === "queued" && receipt?.reason === "carried";
}

/** Number of waiting prompts, plus one if any runs. */
export function laneDepth(lane: TurnLane): number {
  const runs = runningTurns(lane).length;
  return lane.open.length - runs + Math.min(1, runs);
}

/** No other prompt of the session may be typed before it. */
export function isNextTurn({ open }: TurnLane, id: string): boolean {
  return open.find(({ state }) => state !== "running")?.id === id;
}

type Which = (turn: Turn) => boolean;

function change(lane: TurnLane, which: Which, to: (turn: Turn) => Turn): LaneChange {
  const pairs = lane.open.map((turn) => (which(turn) ? to(turn) : turn));
  return withTurns(
    lane,
    pairs,
    pairs.filter((turn, index) => turn !== lane.open[index]),
  );
}

function withTurns(lane: TurnLane, turns: readonly Turn[], changed: readonly Turn[]): LaneChange {
  const open = turns.filter(({ state }) => state !== "ended").toSorted(inOrder);
  return { lane: { ...lane, open }, changed };
}

const RANK = { running: 0, delivering: 1, queued: 2, ended: 3 } as const satisfies Record<Turn["state"], number>;

function inOrder(a: Turn, b: Turn): number {
  return rankOf(a) - rankOf(b) || (a.state === "queued" ? a.place - b.place : 0) || a.generation - b.generation;
}

function rankOf(turn: Turn): number {
  return RANK[isHandedOver(turn) ? "delivering" : turn.state];
}

function byId(id: string, ...states: readonly Turn["state"][]): Which {
  return (turn) => turn.id === id && states.includes(turn.state);
}

function running(generation: number): Which {
  return (turn) => turn.state === "running" && turn.generation === generation;
}

function begunOrHandedOver(generation: number): Which {
  return (turn) => turn.generation === generation && (turn.state === "running" || isHandedOver(turn));
}

function isQueued({ state }: Turn): boolean {
  return state === "queued";
}

function over(turn: Turn, outcome: Partial<Turn> & { readonly reason: TurnReason }, now: Timestamp): Turn {
  return { ...turn, state: "ended", outcome: TURN_REASONS[outcome.reason].outcome, ended_at: now, ...outcome };
}

function cancelling(turn: Turn, cause: CancelCause, now: Timestamp): Turn {
  return isQueued(turn) && !isHandedOver(turn) ? takenBack({ ...turn, cause }, now) : { ...turn, cause };
}

function takenBack(turn: Turn, now: Timestamp): Turn {
  return over(turn, { reason: "taken_back" }, now);
}

function closed(turn: Turn, cause: CancelCause, now: Timestamp): Turn {
  return over(turn, { reason: "session_closed", cause }, now);
}

function failed(turn: Turn, event: Extract<TurnEvent, { type: "failed" }>, now: Timestamp): Turn {
  const { reason, receipt } = event;
  if (turn.cause === null) return over(turn, { reason, receipt, code: event.code ?? codeOf(reason) }, now);
  if (receipt?.outcome === "refused") return { ...takenBack(turn, now), receipt };
  return over(turn, { reason: "not_seen_to_stop", confirmed: false, receipt }, now);
}

interface Ending {
  readonly how: TurnEnd;
  /** The agent's report on it. */
  readonly note: string | null;
  readonly closing: CancelCause | null;
  readonly now: Timestamp;
}

function ended(turn: Turn, { how, note, closing, now }: Ending): Turn {
  if (closing !== null) return closed(turn, closing, now);
  if (how === "not_seen_to_stop") return turn.cause === null ? turn : over(turn, { reason: how, confirmed: false }, now);
  if (turn.cause !== null) return over(turn, { reason: "interrupted", confirmed: true }, now);
  return over(turn, { reason: how, code: codeOf(how), note }, now);
}

function gone(turn: Turn, { closing, now }: Omit<Ending, "how" | "note">): Turn {
  if (closing !== null) return closed(turn, closing, now);
  if (turn.cause !== null) return over(turn, { reason: "interrupted", confirmed: true }, now);
  return over(turn, { reason: "session_exited", code: TURN_REASONS.session_exited.code }, now);
}

function codeOf(reason: TurnReason): string | null {
  const row = TURN_REASONS[reason];
  return row.outcome === "failed" ? row.code : null;
}
