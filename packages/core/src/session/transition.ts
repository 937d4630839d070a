import { TmpmError } from "../errors.js";
import type { Timestamp } from "../time/timestamp.js";
import type { Exit, PaneIdentity, RecordError, SessionRecord, SessionState, StopCause } from "./record.js";

/** What can happen to a session. Times are taken from `transition`'s `now`. */
export type SessionEvent =
  | { readonly type: "launched"; readonly pane: PaneIdentity | null; readonly pid: number | null }
  /** A terminal that seemed gone exists. */
  | { readonly type: "found"; readonly pane: PaneIdentity; readonly pid: number }
  | { readonly type: "stopped"; readonly cause: StopCause; readonly exit: Exit | null; readonly last_lines: readonly string[] }
  | { readonly type: "failed"; readonly error: Omit<RecordError, "at">; readonly exit: Exit | null; readonly last_lines: readonly string[] }
  | { readonly type: "paused"; readonly summary: string | null }
  | { readonly type: "unpaused" }
  | { readonly type: "decommissioned" }
  | { readonly type: "deleted" }
  | { readonly type: "reactivated" };

/** The one table: the states in which an event is allowed, and the resulting state (trusty-mpm 4.3). */
const TABLE: Record<SessionEvent["type"], { from: readonly SessionState[]; to: SessionState; verb: string }> = {
  launched: { from: ["provisioning", "stopped", "errored"], to: "active", verb: "resume" },
  found: { from: ["active", "stopped", "errored"], to: "active", verb: "recover" },
  stopped: { from: ["provisioning", "active", "errored"], to: "stopped", verb: "stop" },
  failed: { from: ["provisioning", "active", "stopped", "errored"], to: "errored", verb: "fail" },
  paused: { from: ["active"], to: "active", verb: "pause" },
  unpaused: { from: ["active"], to: "active", verb: "unpause" },
  decommissioned: { from: ["provisioning", "active", "stopped", "errored"], to: "decommissioned", verb: "remove" },
  deleted: { from: ["stopped", "errored"], to: "deleted", verb: "delete" },
  reactivated: { from: ["decommissioned", "deleted"], to: "stopped", verb: "reactivate" },
};

export const TERMINAL_STATES: readonly SessionState[] = ["decommissioned", "deleted"];

/** States in which a session's program does not run. */
export const ENDED_STATES: readonly SessionState[] = ["stopped", "errored", ...TERMINAL_STATES];

export function isTerminal(record: Pick<SessionRecord, "state">): boolean {
  return TERMINAL_STATES.includes(record.state);
}

export function canTransition(record: Pick<SessionRecord, "state" | "paused_at">, type: SessionEvent["type"]): boolean {
  if (type === "unpaused" && record.paused_at === null) return false;
  return TABLE[type].from.includes(record.state);
}

/** Events allowed during an operation, which continues. */
const BESIDE: ReadonlySet<SessionEvent["type"]> = new Set(["paused", "unpaused"]);

/**
 * The record after the event. Clears the intent, except for a pause or its end; `rev` and storage are the store's. @throws INVALID_STATE
 */
export function transition(record: SessionRecord, event: SessionEvent, now: Timestamp): SessionRecord {
  const { from, to, verb } = TABLE[event.type];
  if (!canTransition(record, event.type)) throw invalidState(record, { verb, allowed: from });
  const intent = BESIDE.has(event.type) ? record.intent : null;
  return { ...record, ...changes(record, event, now), state: to, intent, updated_at: now };
}

/** The error for an operation in a state where it is not allowed. */
export function invalidState(
  record: Pick<SessionRecord, "id" | "name" | "state">,
  rule: { readonly verb: string; readonly allowed: readonly SessionState[]; readonly hint?: string },
): TmpmError {
  const allowed = rule.allowed.join(" or ");
  const hint = rule.hint ?? wayOut(record, rule.allowed);
  return new TmpmError("INVALID_STATE", `cannot ${rule.verb} session ${record.name} in state '${record.state}'; it must be ${allowed}`, {
    ...(hint === null ? {} : { hint }),
    details: { id: record.id, state: record.state, allowed: rule.allowed },
  });
}

/** The command that leads to a state in which it is allowed; null when none does. */
function wayOut({ name, state }: Pick<SessionRecord, "name" | "state">, allowed: readonly SessionState[]): string | null {
  if (allowed.includes(state)) return null;
  switch (state) {
    case "stopped":
    case "errored":
      return allowed.includes("active") ? `\`tmpm resume ${name}\` restarts it.` : `\`tmpm rm ${name}\` removes it.`;
    case "active":
      return allowed.includes("stopped") ? `\`tmpm stop ${name}\` ends it first.` : null;
    case "decommissioned":
    case "deleted":
      return `\`tmpm undo ${name}\` restores it.`;
    case "provisioning":
      return "Wait until it has started.";
  }
}

function changes(record: SessionRecord, event: SessionEvent, now: Timestamp): Partial<SessionRecord> {
  const ended = { pane: null, pid: null, paused_at: null, pause_summary: null, pending_decision: null, proposed_default: null };
  switch (event.type) {
    case "launched":
      return {
        pane: event.pane,
        pid: event.pid,
        launched_at: now,
        stop_cause: null,
        exit: null,
        last_lines: [],
        last_error: null,
        viewed_at: null,
      };
    case "found":
      return { pane: event.pane, pid: event.pid, stop_cause: null, exit: null, last_lines: [], last_error: null };
    case "stopped":
      return { ...ended, stop_cause: event.cause, exit: event.exit, last_lines: [...event.last_lines] };
    case "failed":
      return { ...ended, last_error: { ...event.error, at: now }, exit: event.exit, last_lines: [...event.last_lines] };
    case "paused":
      return { paused_at: record.paused_at ?? now, pause_summary: event.summary ?? record.pause_summary };
    case "unpaused":
      return { paused_at: null, pause_summary: null };
    case "decommissioned":
    case "deleted":
      return { ...ended, terminal_at: record.terminal_at ?? now };
    case "reactivated":
      // A caller wants it back: it is not removed again.
      return { terminal_at: null, stop_cause: "deliberate", ephemeral: false };
  }
}
