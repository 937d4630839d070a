import { msFromTimestamp, type SendEntry, TmpmError } from "@tmpm/core";
import type { UnreadSend } from "./send-files.js";

export interface SendLimits {
  /** Number of completed sends remembered per session; 1000 when undefined. */
  readonly kept?: number;
  /** Wall clock in milliseconds. */
  readonly clock?: () => number;
}

/** How long a completed send is remembered (reliability F19). */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** The sends of all sessions in memory, in order of acceptance. */
export interface SendIndex {
  /** @throws NAME_TAKEN, RECORD_UNSUPPORTED */
  add(entry: SendEntry): void;
  /** @throws SESSION_NOT_FOUND */
  replace(entry: SendEntry): void;
  /** Takes the ids and keys of sends that are unreadable or not understood. */
  reserve(session: string, unread: readonly UnreadSend[]): void;
  remove(entry: Pick<SendEntry, "id" | "session_id">): void;
  of(session: string): readonly SendEntry[];
  all(): readonly SendEntry[];
  expired(session: string): readonly SendEntry[];
  /** Drops a session from memory. */
  release(session: string): void;
}

export function sendIndex({ kept = 1000, clock = Date.now }: SendLimits): SendIndex {
  const sessions = new Map<string, Map<string, SendEntry>>();
  const reserved = new Map<string, readonly UnreadSend[]>();
  const of = (session: string) => [...(sessions.get(session)?.values() ?? [])];

  return {
    add(entry) {
      const known = sessions.get(entry.session_id) ?? new Map<string, SendEntry>();
      if (known.has(entry.id)) throw taken(`send ${entry.id} already exists`);
      if (entry.key !== null && of(entry.session_id).some(({ key }) => key === entry.key)) throw taken(`the key ${entry.key} is in use`);
      const unread = reserved.get(entry.session_id)?.find((send) => send.id === entry.id || mayHaveKey(send, entry.key));
      if (unread !== undefined) throw unsupported(unread);
      known.set(entry.id, entry);
      sessions.set(entry.session_id, known);
    },
    replace(entry) {
      const known = sessions.get(entry.session_id);
      if (known?.has(entry.id) !== true) throw new TmpmError("SESSION_NOT_FOUND", `there is no send ${entry.id}`);
      known.set(entry.id, entry);
    },
    remove({ id, session_id }) {
      sessions.get(session_id)?.delete(id);
      if (sessions.get(session_id)?.size === 0) sessions.delete(session_id);
    },
    of,
    all: () => [...sessions.keys()].flatMap(of),
    reserve(session, unread) {
      if (unread.length === 0) reserved.delete(session);
      else reserved.set(session, unread);
    },
    release(session) {
      sessions.delete(session);
      reserved.delete(session);
    },
    expired(session) {
      const done = of(session).filter(({ step }) => step === "done");
      const tooMany = done.slice(0, Math.max(0, done.length - kept));
      return done.filter((entry) => tooMany.includes(entry) || clock() - msFromTimestamp(entry.updated_at) >= KEPT_MS);
    },
  };
}

function mayHaveKey({ key, isKeyKnown }: UnreadSend, wanted: string | null): boolean {
  return wanted !== null && (!isKeyKnown || key === wanted);
}

function taken(message: string): TmpmError {
  return new TmpmError("NAME_TAKEN", message);
}

/** The text may have been sent already. */
function unsupported({ id, key, isKeyKnown }: UnreadSend): TmpmError {
  const what = `the stored send ${id}${isKeyKnown ? withKey(key) : ", which may have this key,"}`;
  return new TmpmError("RECORD_UNSUPPORTED", `${what} is unreadable, or of a newer tmpm`, {
    effect: "unknown",
    hint: `Check the session before you send the text ${isKeyKnown ? "with another key" : "without a key"}, or use the newer tmpm.`,
    details: { send: id, key },
  });
}

function withKey(key: string | null): string {
  return key === null ? "" : ` with key ${JSON.stringify(key)}`;
}

/** Oldest first, then by id, so that the order is the same everywhere. */
export function byAge(a: SendEntry, b: SendEntry): number {
  return msFromTimestamp(a.accepted_at) - msFromTimestamp(b.accepted_at) || (a.id < b.id ? -1 : 1);
}
