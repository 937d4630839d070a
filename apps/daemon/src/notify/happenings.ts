import { type EventBody, msFromTimestamp } from "@tmpm/core";
import type { NoticeKind } from "./notice.js";

/** An event that may cause a notification. */
export interface Happening {
  readonly session_id: string;
  readonly kind: NoticeKind;
  readonly at: string;
  /** A phrase to follow the session's name; null if the session's state expresses it. */
  readonly message: string | null;
  /** It means that the session does not run: obsolete once it does. */
  readonly stopped?: true;
  /** It is a question of the session's own: obsolete once answered. */
  readonly asked?: true;
  /** Reported by the session itself, in any state. */
  readonly reported?: true;
}

export interface Happenings {
  /** Null for events without a notification. */
  of(event: EventBody): Happening | null;
}

const WAITING: ReadonlySet<string> = new Set(["awaiting_approval", "awaiting_input", "blocked"]);
const AT_WORK: ReadonlySet<string> = new Set(["working", ...WAITING]);

/** Maps events to notifications. Remembers for each session since when it works, and whether it already needs the user. */
export function happenings({ finishedAfterMs }: { readonly finishedAfterMs: () => number }): Happenings {
  const busySince = new Map<string, number>();
  const waiting = new Set<string>();
  const limited = new Set<string>();

  function ofActivity(event: Extract<EventBody, { type: "session_activity_changed" }>): Happening | null {
    const { session_id, at, activity } = event;
    const { state } = activity;
    if (state === "unknown") return null;
    const nowMs = msFromTimestamp(at);
    const isNew = activity.limit !== null && !limited.has(session_id);
    if (activity.limit === null) limited.delete(session_id);
    else limited.add(session_id);
    const since = busySince.get(session_id);
    if (AT_WORK.has(state)) busySince.set(session_id, since ?? nowMs);
    else busySince.delete(session_id);
    if (isNew) return { session_id, at, kind: "failed", message: limitMessage(activity.limit?.resets_at ?? null) };
    if (activity.limit !== null && state === "errored") return null;
    if (!WAITING.has(state)) waiting.delete(session_id);
    if (WAITING.has(state)) {
      if (waiting.has(session_id)) return null;
      waiting.add(session_id);
      return { session_id, at, kind: "needs_you", message: null };
    }
    if (state === "errored") return { session_id, at, kind: "failed", message: "shows an error" };
    const long = since !== undefined && nowMs - since >= finishedAfterMs();
    return state === "idle" && long ? { session_id, at, kind: "finished", message: "has finished" } : null;
  }

  return {
    of(event) {
      if (event.session_id === null) return null;
      const { session_id, at } = event;
      switch (event.type) {
        case "session_activity_changed":
          return ofActivity(event);
        case "decision_answered":
          waiting.delete(session_id);
          return null;
        case "question_asked":
          return { session_id, at, kind: "needs_you", message: "asks a question", asked: true };
        case "budget_reached":
          return event.percent < 100 ? null : { session_id, at, kind: "needs_you", message: BUDGETS[event.scope], reported: true };
        case "session_reported":
          return ofReport(event);
        case "pull_request_news":
          return ofPullRequest(event);
        case "session_exited":
          forget(session_id);
          return event.status === 0 && event.signal === null
            ? { session_id, at, kind: "finished", message: "has ended" }
            : { session_id, at, kind: "failed", message: ending(event), stopped: true };
        case "turn_ended":
          // The end of its program, or a limit, is reported separately.
          if (event.outcome !== "failed" || event.reason === "session_exited" || event.reason === "limit_reached") return null;
          return { session_id, at, kind: "failed", message: `failed at a prompt (${event.code ?? "unknown reason"})` };
        case "session_state_changed":
          return event.to === "errored" ? { session_id, at, kind: "failed", message: "could not resume", stopped: true } : lost(event);
        case "auto_resume_parked":
          return { session_id, at, kind: "failed", message: "keeps ending and is no longer resumed" };
        case "session_stopped":
        case "session_removed":
        case "session_deleted":
          forget(session_id);
          return null;
        default:
          return null;
      }
    },
  };

  function forget(session: string): void {
    busySince.delete(session);
    waiting.delete(session);
    limited.delete(session);
  }
}

/** Reports to another session are for that session only. */
function ofReport({ session_id, at, kind, to }: Extract<EventBody, { type: "session_reported" }>): Happening | null {
  if (to !== null || kind === "note") return null;
  return kind === "done"
    ? { session_id, at, kind: "finished", message: "reports that it is done", reported: true }
    : { session_id, at, kind: "needs_you", message: "reports that it cannot continue", reported: true };
}

const BUDGETS = {
  session: "has used up its budget",
  lineage: "has used up the budget of its lineage",
  project: "has used up the budget of its project",
} as const;

const AT_PULL_REQUEST: Readonly<Record<string, string>> = {
  check: "has a failed check",
  review: "has a review that asks for changes",
  comment: "has a comment",
  line_comment: "has a comment on a line",
};

/** A passed check is not reported, and people's comments are never repeated. */
function ofPullRequest(event: Extract<EventBody, { type: "pull_request_news" }>): Happening | null {
  const { session_id, at, kind, title, asks, number } = event;
  const where = `on pull request ${number}`;
  const known = { session_id, at, reported: true } as const;
  if (asks)
    return { ...known, kind: kind === "check" ? "failed" : "needs_you", message: `${AT_PULL_REQUEST[kind] ?? "has news"} ${where}` };
  if (kind === "state")
    return { ...known, kind: "finished", message: `had its pull request ${number} ${title === "merged" ? "merged" : "closed"}` };
  return kind === "review" && title === "approved" ? { ...known, kind: "finished", message: `has an approval ${where}` } : null;
}

function limitMessage(resetsAt: string | null): string {
  return `has reached a usage limit${resetsAt === null ? "" : `, which resets at ${resetsAt}`}`;
}

function lost({ session_id, at, to, cause, reason }: Extract<EventBody, { type: "session_state_changed" }>): Happening | null {
  if (to !== "stopped" || cause !== "unexpected" || reason === "process_exit") return null;
  return { session_id, at, kind: "failed", message: "has lost its terminal", stopped: true };
}

function ending({ status, signal }: { readonly status: number | null; readonly signal: number | null }): string {
  if (signal !== null) return `was ended by signal ${signal}`;
  return status === null ? "ended unexpectedly" : `ended with status ${status}`;
}
