import * as z from "zod";
import type { ActivityState } from "../activity/activity.js";
import type { RestState } from "../activity/thought.js";
import { msFromTimestamp } from "../time/time.js";
import type { SessionView } from "./status.js";
import { isTerminal } from "./transition.js";

/** A session's state in swimmers' words (swimmers 1.1). */
export const SwimmersState = z.enum(["idle", "busy", "error", "attention", "exited"]);
export type SwimmersState = z.infer<typeof SwimmersState>;

/** Likewise in ao-rs' words (ao-rs 1.3). */
export const AoActivityState = z.enum(["active", "ready", "idle", "waiting_input", "blocked", "exited"]);
export type AoActivityState = z.infer<typeof AoActivityState>;

/** Likewise in trusty-mpm's words (trusty-mpm 7.4). */
export const TrustyActivityState = z.enum(["working", "idle", "blocked_on_permission", "errored", "done", "unknown"]);
export type TrustyActivityState = z.infer<typeof TrustyActivityState>;

/** Idle time after which a session is drowsy (swimmers 4.5). */
export const DROWSY_MS = 30_000;
/** Time after which a ready session is idle (ao-rs `ready_threshold_ms`). */
export const READY_MS = 300_000;

const SWIMMERS: Record<ActivityState, SwimmersState> = {
  starting: "busy",
  working: "busy",
  idle: "idle",
  awaiting_approval: "attention",
  awaiting_input: "attention",
  blocked: "attention",
  errored: "error",
  exited: "exited",
  unknown: "idle",
};

/** Idle time after which a session that has worked needs attention (swimmers 4.4). */
export const ATTENTION_MS = 300_000;

/**
 * `attention` means that the user has to act; unknown counts as idle, as in swimmers. With `nowMs`, a session that has worked and then been
 * idle for five minutes is also `attention`, until it is prompted again (swimmers case 37).
 */
export function swimmersState(view: SessionView, nowMs: number | null = null): SwimmersState {
  const state = doing(view);
  const waited = nowMs !== null && state === "idle" && view.record.last_activity_at !== null && restedMs(view, nowMs) >= ATTENTION_MS;
  return waited ? "attention" : SWIMMERS[state];
}

/** How far a session's shown state can be trusted (swimmers 1.1). */
export const TransportHealth = z.enum(["healthy", "degraded", "overloaded", "disconnected"]);
export type TransportHealth = z.infer<typeof TransportHealth>;

/**
 * A session's depth of rest. `thought` is the rest state of its last thought, which decides between the depths of sleep; null without one.
 * A `since` in the future counts as now (swimmers 4.5).
 */
export function restState(view: SessionView, now: { readonly nowMs: number; readonly thought: RestState | null }): RestState {
  const state = swimmersState(view);
  if (state === "exited") return "deep_sleep";
  if (state !== "idle") return "active";
  if (now.thought === "sleeping" || now.thought === "deep_sleep") return now.thought;
  return restedMs(view, now.nowMs) >= DROWSY_MS ? "drowsy" : "active";
}

const AO: Record<ActivityState, AoActivityState> = {
  starting: "active",
  working: "active",
  idle: "ready",
  awaiting_approval: "waiting_input",
  awaiting_input: "waiting_input",
  blocked: "blocked",
  errored: "blocked",
  exited: "exited",
  unknown: "idle",
};

/** Ready for input is `ready` at first and `idle` after five minutes. */
export function aoActivity(view: SessionView, now: { readonly nowMs: number }): AoActivityState {
  const state = AO[doing(view)];
  return state === "ready" && restedMs(view, now.nowMs) >= READY_MS ? "idle" : state;
}

const TRUSTY: Record<ActivityState, TrustyActivityState> = {
  starting: "working",
  working: "working",
  idle: "idle",
  awaiting_approval: "blocked_on_permission",
  awaiting_input: "idle",
  blocked: "blocked_on_permission",
  errored: "errored",
  exited: "done",
  unknown: "unknown",
};

export function trustyActivity(view: SessionView): TrustyActivityState {
  return TRUSTY[doing(view)];
}

/** The record takes precedence; a paused session still shows its program's activity. */
function doing({ record, activity }: SessionView): ActivityState {
  if (record.state === "stopped" || isTerminal(record)) return "exited";
  if (record.state === "errored") return "errored";
  return record.state === "provisioning" ? "starting" : activity.state;
}

function restedMs({ activity }: SessionView, nowMs: number): number {
  return nowMs - msFromTimestamp(activity.since);
}
