import { join } from "node:path";
import { runningTasks, type SendEntry } from "@tmpm/core";
import { loadSession, sessionsIn } from "./send-files.js";
import { byAge, type SendIndex } from "./send-index.js";

/** The sends in memory: those of every session with pending ones, and of recently used sessions. */
export interface HeldSends {
  /** The index, with all sends of this session. */
  of(session: string): SendIndex;
  /** The index, with all pending sends. */
  pending(): SendIndex;
  /** The session stays in memory until the task has ended. */
  during<T>(session: string, task: () => Promise<T>): Promise<T>;
  forget(session: string): void;
}

export interface HeldSendsOptions {
  readonly dir: string;
  readonly index: SendIndex;
  /** Whether a session without pending sends must stay in memory. */
  readonly isNeeded: (session: string) => boolean;
  /** Removes expired sends. */
  readonly expire: (session: string) => void;
}

/** Number of sessions without pending sends that stay in memory. */
const SESSIONS_HELD = 16;

export function heldSends({ dir, index, isNeeded, expire }: HeldSendsOptions): HeldSends {
  /** The most recently used one is last. */
  const held = new Set<string>();
  const busy = runningTasks();
  let scanned = false;

  function hold(session: string): void {
    if (!held.has(session)) {
      const { entries, unread } = loadSession(join(dir, session), session);
      for (const entry of [...entries].sort(byAge)) index.add(entry);
      index.reserve(session, unread);
    }
    held.delete(session);
    held.add(session);
  }

  function releaseOld(): void {
    const settled = [...held].filter((session) => !busy.isRunning(session) && !isNeeded(session) && index.of(session).every(isDone));
    for (const session of settled.slice(0, Math.max(0, settled.length - SESSIONS_HELD))) {
      held.delete(session);
      index.release(session);
    }
  }

  function scan(): void {
    if (scanned) return;
    for (const session of sessionsIn(dir)) {
      hold(session);
      expire(session);
      releaseOld();
    }
    scanned = true;
  }

  return {
    of(session) {
      scan();
      hold(session);
      releaseOld();
      return index;
    },
    pending() {
      scan();
      return index;
    },
    during: busy.run,
    forget(session) {
      held.delete(session);
      index.release(session);
    },
  };
}

function isDone({ step }: SendEntry): boolean {
  return step === "done";
}
