import type { SessionRecord, SessionState, StopCause } from "../../session/record.js";
import { type AoSession, aoIsRestorable, aoIsTerminal } from "./session.js";

type Ending = Pick<AoSession, "status" | "activity">;

/**
 * Our state for an ao-rs status: a live one is active, a restorable one stopped or errored, any other finished. A session ended on purpose
 * stopped deliberately.
 */
export function stateOf(session: Ending): { readonly state: SessionState; readonly stop_cause: StopCause | null } {
  if (!aoIsTerminal(session)) return { state: session.status === "spawning" ? "provisioning" : "active", stop_cause: null };
  if (!aoIsRestorable(session)) return { state: "decommissioned", stop_cause: null };
  if (session.status === "errored") return { state: "errored", stop_cause: null };
  return { state: "stopped", stop_cause: aoIsTerminal({ status: session.status, activity: null }) ? "deliberate" : "unexpected" };
}

/**
 * Whether their status still holds: tmpm has not launched the session, and it is in the state that they reported, or seems to have ended.
 */
export function stillHolds(record: SessionRecord, known: Ending): boolean {
  if (record.launched_at !== null) return false;
  const { state, stop_cause } = stateOf(known);
  if (state === record.state) return stop_cause === record.stop_cause;
  return !aoIsTerminal(known) && record.state === "stopped" && record.stop_cause === "unexpected";
}

/** The ao-rs status of a session that tmpm has launched. */
export function statusOf(record: SessionRecord): Ending {
  return { status: record.state === "errored" ? "errored" : "killed", activity: null };
}
