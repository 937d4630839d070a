import type { SettingValues } from "@tmpm/api/config";
import type { EventBody } from "@tmpm/core";
import { type Happening, happenings } from "./happenings.js";
import { mostUrgent, type Notice, type NoticeSubject, noticeEntry, noticeOf } from "./notice.js";
import { quietFor } from "./quiet-hours.js";

/** The facts of a session, looked up at notification time. */
export interface Seen extends NoticeSubject {
  readonly viewers: number;
  readonly paused: boolean;
  /** It has an open question of its own. */
  readonly asks: boolean;
  readonly notify: "on" | "off" | null;
}

export interface NotifierOptions {
  readonly settings: () => SettingValues;
  /** Null for a session that no longer exists. */
  readonly look: (sessionId: string) => Promise<Seen | null>;
  /** Must not block. */
  readonly notify: (notice: Notice) => void;
  readonly now: () => Date;
  /** Schedules a function; returns its cancellation. */
  readonly later: (ms: number, run: () => void) => () => void;
  readonly newId: () => string;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

export interface Notifier {
  /** Never blocks and never fails. */
  hear(event: EventBody): void;
  /** Number of sessions to be reported. */
  pending(): number;
  /** Remaining quiet time, in ms. */
  quietMs(): number;
  /** Settings changed. */
  again(): void;
  close(): void;
}

/** Their happenings stay whatever the session does next; all other events report its state. */
const OF_THEIR_OWN: ReadonlySet<string> = new Set(["question_asked", "budget_reached", "session_reported", "pull_request_news"]);

/** Maximum number of sessions waiting for the end of quiet hours. */
const MOST = 500;

/** Merges the events of a window into one notice, without those that are obsolete at its end or visible to the user anyway. */
export function notifier({ settings, look: lookUp, notify, now, later, newId, report }: NotifierOptions): Notifier {
  const meaning = happenings({ finishedAfterMs: () => settings()["notify.finished_after_seconds"] * 1000 });
  /** Of each session, the latest of each subject. */
  const waiting = new Map<string, Map<string, Happening>>();
  let cancel: (() => void) | null = null;

  const quietMs = () => quietFor(settings()["notify.quiet_hours"], now());

  /** A session that cannot be looked up does not keep back news of the others. */
  async function look(session: string): Promise<Seen | null> {
    try {
      return await lookUp(session);
    } catch (error) {
      report({ doing: `looking up session ${session} for a notification`, error });
      return null;
    }
  }

  function schedule(): void {
    if (cancel !== null || waiting.size === 0) return;
    cancel = later(Math.max(settings()["notify.window_seconds"] * 1000, quietMs()), () => {
      cancel = null;
      if (quietMs() > 0) return schedule();
      flush().catch((error: unknown) => report({ doing: "notifying about sessions", error }));
    });
  }

  async function flush(): Promise<void> {
    const happened = [...waiting];
    waiting.clear();
    const entries = await Promise.all(
      happened.map(async ([session, subjects]) => {
        const seen = await look(session);
        if (seen === null) return [];
        const due = [...subjects.values()].filter((happening) => isDue(happening, { seen, settings: settings() }));
        const most = mostUrgent(due);
        return most === null ? [] : [noticeEntry(most, seen)];
      }),
    );
    const due = entries.flat();
    if (due.length > 0) notify(noticeOf(due, { id: newId(), at: now().toISOString() }));
  }

  return {
    hear(event) {
      const happening = meaning.of(event);
      if (happening === null || !settings()["notify.of"].includes(happening.kind)) return;
      const subjects = waiting.get(happening.session_id) ?? new Map<string, Happening>();
      const subject = OF_THEIR_OWN.has(event.type) ? event.type : "state";
      // An agent that failed becomes ready again, which is not finished work.
      if (subjects.get(subject)?.kind === "failed" && happening.kind === "finished") return;
      if (subjects.size === 0 && waiting.size >= MOST) return;
      // The latest is the last of its kind.
      subjects.delete(subject);
      waiting.set(happening.session_id, subjects.set(subject, happening));
      schedule();
    },
    pending: () => waiting.size,
    quietMs,
    again() {
      cancel?.();
      cancel = null;
      schedule();
    },
    close() {
      cancel?.();
      cancel = null;
      waiting.clear();
    },
  };
}

const WAITING: ReadonlySet<string> = new Set(["awaiting_approval", "awaiting_input", "blocked"]);

function isDue(
  { kind, stopped, asked, reported }: Happening,
  { seen, settings }: { readonly seen: Seen; readonly settings: SettingValues },
): boolean {
  if (seen.notify === "off" || (seen.notify === null && settings["notify.sessions"] === "marked")) return false;
  if (seen.viewers > 0) return false;
  if (stopped === true && seen.state === "active") return false;
  if (asked === true) return seen.asks && !seen.paused && seen.state === "active";
  if (reported === true) return true;
  if (kind === "needs_you") return !seen.paused && seen.state === "active" && WAITING.has(seen.activity);
  return kind === "failed" || seen.activity !== "working";
}
