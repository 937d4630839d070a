import type { SessionRecord, SessionState, StopCause } from "../../record.js";
import { type AoSession, aoIsRestorable, aoIsTerminal } from "./session.js";

type Ending = Pick<AoSession, "status" | "activity">;

/**
 * Our state for a status of theirs: what lives is active, what they would restore is stopped or errored, and what they would not is finished. A session that
 * was ended on purpose stopped deliberately.
 */
export function stateOf(session: Ending): { readonly state: SessionState; readonly stop_cause: StopCause | null } {
  if (!aoIsTerminal(session)) return { state: session.status === "spawning" ? "provisioning" : "active", stop_cause: null };
  if (!aoIsRestorable(session)) return { state: "decommissioned", stop_cause: null };
  if (session.status === "errored") return { state: "errored", stop_cause: null };
  return { state: "stopped", stop_cause: aoIsTerminal({ status: session.status, activity: null }) ? "deliberate" : "unexpected" };
}

/** What they know of the session still holds: tmpm has not launched it, and it is in the state that they said, or no longer believed to run. */
export function stillHolds(record: SessionRecord, known: Ending): boolean {
  if (record.launched_at !== null) return false;
  const { state, stop_cause } = stateOf(known);
  if (state === record.state) return stop_cause === record.stop_cause;
  return !aoIsTerminal(known) && record.state === "stopped" && record.stop_cause === "unexpected";
}

/** Their status for a session that is in our hands. */
export function statusOf(record: SessionRecord): Ending {
  return { status: record.state === "errored" ? "errored" : "killed", activity: null };
}
