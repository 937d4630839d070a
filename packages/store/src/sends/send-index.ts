import { msFromTimestamp, type SendEntry, TmpmError } from "@tmpm/core";

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
  /** @throws NAME_TAKEN */
  add(entry: SendEntry): void;
  /** @throws SESSION_NOT_FOUND */
  replace(entry: SendEntry): void;
  remove(entry: Pick<SendEntry, "id" | "session_id">): void;
  of(session: string): readonly SendEntry[];
  all(): readonly SendEntry[];
  /** Expired sends of a session. */
  expired(session: string): readonly SendEntry[];
  /** Drops a session from memory. */
  release(session: string): void;
}

export function sendIndex({ kept = 1000, clock = Date.now }: SendLimits): SendIndex {
  const sessions = new Map<string, Map<string, SendEntry>>();
  const of = (session: string) => [...(sessions.get(session)?.values() ?? [])];

  return {
    add(entry) {
      const known = sessions.get(entry.session_id) ?? new Map<string, SendEntry>();
      if (known.has(entry.id)) throw taken(`send ${entry.id} already exists`);
      if (entry.key !== null && of(entry.session_id).some(({ key }) => key === entry.key)) throw taken(`the key ${entry.key} is in use`);
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
    release: (session) => void sessions.delete(session),
    expired(session) {
      const done = of(session).filter(({ step }) => step === "done");
      const tooMany = done.slice(0, Math.max(0, done.length - kept));
      return done.filter((entry) => tooMany.includes(entry) || clock() - msFromTimestamp(entry.updated_at) >= KEPT_MS);
    },
  };
}

function taken(message: string): TmpmError {
  return new TmpmError("NAME_TAKEN", message);
}

/** Oldest first, then by id, so that the order is the same everywhere. */
export function byAge(a: SendEntry, b: SendEntry): number {
  return msFromTimestamp(a.accepted_at) - msFromTimestamp(b.accepted_at) || (a.id < b.id ? -1 : 1);
}
