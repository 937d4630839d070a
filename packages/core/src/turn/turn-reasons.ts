import type { ErrorCode } from "../errors.js";
import type { TurnOutcome } from "./turn.js";

type ReasonRow =
  | { readonly outcome: Exclude<TurnOutcome, "failed">; readonly title: string }
  | { readonly outcome: "failed"; readonly code: ErrorCode; readonly title: string };

/** Reasons for the end of a turn. The only list: docs/turns.md derives from it. */
export const TURN_REASONS = {
  ready: { outcome: "completed", title: "The agent is ready again" },
  unobservable: {
    outcome: "completed",
    title: "The program does not show its state, so its turn ends once the text is submitted",
  },
  ended_while_away: { outcome: "completed", title: "The agent was ready when the next daemon checked" },
  imported: { outcome: "completed", title: "Another program recorded it, and it was imported" },
  taken_back: { outcome: "cancelled", title: "It was cancelled before anything was typed" },
  interrupted: { outcome: "cancelled", title: "The agent was interrupted, and seen to stop" },
  not_seen_to_stop: { outcome: "cancelled", title: "The agent was interrupted, but was not seen to stop in time" },
  session_closed: { outcome: "cancelled", title: "The session was stopped, restarted or removed" },
  queue_full: { outcome: "failed", code: "QUEUE_FULL", title: "Too many prompts of the session were queued to accept it" },
  waited_too_long: { outcome: "failed", code: "TIMEOUT", title: "Its time ran out before it could be typed" },
  refused: { outcome: "failed", code: "INVALID_STATE", title: "Nothing was typed, as the receipt shows" },
  not_confirmed: { outcome: "failed", code: "UNCONFIRMED", title: "The agent was not seen to accept it, as the receipt shows" },
  session_exited: { outcome: "failed", code: "PANE_DEAD", title: "The session's program ended on its own" },
  agent_errored: { outcome: "failed", code: "AGENT_FAILED", title: "The agent reported that its turn failed" },
  limit_reached: { outcome: "failed", code: "USAGE_LIMIT", title: "The agent has reached a usage limit of the model's API" },
  daemon_ended: { outcome: "failed", code: "SHUTTING_DOWN", title: "The daemon ended before anything was typed" },
  fault: { outcome: "failed", code: "INTERNAL", title: "tmpm or the machine failed" },
} as const satisfies Record<string, ReasonRow>;

export type TurnReason = keyof typeof TURN_REASONS;
