import type { SettingValues } from "@tmpm/api/config";
import type { EventBody } from "@tmpm/core";
import { type Happening, happenings } from "./happenings.js";
import { type Notice, noticeEntry, noticeOf, type Told } from "./notice.js";
import { quietFor } from "./quiet-hours.js";

/** What is looked up of a session at the moment of telling. */
export interface Seen extends Told {
  readonly viewers: number;
  readonly paused: boolean;
  /** A question in words of its own is open. */
  readonly asks: boolean;
  readonly notify: "on" | "off" | null;
}

export interface NotifierOptions {
  readonly settings: () => SettingValues;
  /** Null for a session that is gone. */
  readonly look: (sessionId: string) => Promise<Seen | null>;
  /** Must not wait for anybody. */
  readonly tell: (notice: Notice) => void;
  readonly now: () => Date;
  /** Runs something later, and gives how to have it not run. */
  readonly later: (ms: number, run: () => void) => () => void;
  readonly newId: () => string;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

export interface Notifier {
  /** Never waits and never fails. */
  hear(event: EventBody): void;
  /** How many sessions are to be told of. */
  pending(): number;
  /** How long nothing is told, in ms. */
  quietMs(): number;
  /** Settings changed. */
  again(): void;
  close(): void;
}

/** Maximum number of sessions waiting for the end of quiet hours. */
const MOST = 500;

/** Makes one notice of what happens within a window, of what still holds at its end and nobody sees anyway. */
export function notifier({ settings, look, tell, now, later, newId, report }: NotifierOptions): Notifier {
  const meaning = happenings({ finishedAfterMs: () => settings()["notify.finished_after_seconds"] * 1000 });
  const waiting = new Map<string, Happening>();
  let cancel: (() => void) | null = null;

  const quietMs = () => quietFor(settings()["notify.quiet_hours"], now());

  function schedule(): void {
    if (cancel !== null || waiting.size === 0) return;
    cancel = later(Math.max(settings()["notify.window_seconds"] * 1000, quietMs()), () => {
      cancel = null;
      if (quietMs() > 0) return schedule();
      flush().catch((error: unknown) => report({ doing: "telling of sessions", error }));
    });
  }

  async function flush(): Promise<void> {
    const happened = [...waiting.values()];
    waiting.clear();
    const entries = await Promise.all(
      happened.map(async (happening) => {
        const seen = await look(happening.session_id);
        return seen !== null && isTold(happening, { seen, settings: settings() }) ? [noticeEntry(happening, seen)] : [];
      }),
    );
    const told = entries.flat();
    if (told.length > 0) tell(noticeOf(told, { id: newId(), at: now().toISOString() }));
  }

  return {
    hear(event) {
      const happening = meaning.of(event);
      if (happening === null || !settings()["notify.of"].includes(happening.kind)) return;
      const before = waiting.get(happening.session_id);
      // An agent that failed becomes ready again.
      if (before?.kind === "failed" && happening.kind === "finished") return;
      if (before === undefined && waiting.size >= MOST) return;
      waiting.set(happening.session_id, happening);
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

function isTold(
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
