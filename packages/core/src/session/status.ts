import type { Activity } from "../activity/activity.js";
import type { Timestamp } from "../time/timestamp.js";
import type { SessionRecord } from "./record.js";
import type { Session, SessionStatus } from "./session.js";
import { isTerminal } from "./transition.js";

/** The input of a projection. `viewers` counts users' attached terminals, never our own clients. */
export interface SessionView {
  readonly record: SessionRecord;
  readonly activity: Activity;
  readonly viewers: number;
  /** Running sub-agents, as far as the agent reports them. */
  readonly delegations?: number;
}

/** The first rule that matches (DESIGN 3). */
export function sessionStatus({ record, activity, viewers }: SessionView): SessionStatus {
  if (record.state === "stopped" || record.state === "errored" || isTerminal(record)) return "Stopped";
  if (record.paused_at !== null) return "Paused";
  if (record.state === "provisioning" || activity.state === "starting") return "Starting";
  if (activity.state === "awaiting_approval") return "AwaitingApproval";
  if (record.viewed_at !== null && viewers === 0) return "Detached";
  return "Active";
}

/** The session as a snapshot at one moment. `lastSeen` is when it was last observed running. */
export function toSession(view: SessionView, lastSeen: Timestamp): Session {
  const { record } = view;
  return {
    id: record.id,
    workdir: record.cwd,
    status: sessionStatus(view),
    control: record.control,
    active_delegations: view.delegations ?? 0,
    tmux_name: record.tmux_name,
    created_at: record.created_at,
    last_seen: lastSeen,
    project_path: record.project_path,
    paused_at: record.paused_at,
    pause_summary: record.pause_summary,
    origin: record.origin,
    pid: record.pid,
  };
}
