import type { SessionId, Turn } from "@tmpm/core";

export interface TurnSlice {
  /** The first generation that is wanted; without it the newest are. */
  readonly from?: number;
  /** How many at most; all when not given. */
  readonly limit?: number;
}

/**
 * The turns of sessions: those without an outcome, and of each session the last that have one. One daemon at a time writes to one place. Writes of one session
 * happen in the order of the calls, and are durable before they resolve.
 * @throws STORAGE_FULL, STORE_READ_ONLY, STORE_DEGRADED
 */
export interface TurnJournal {
  /** Keeps a turn as it is now, in place of what was kept of it. One that has ended no longer changes. */
  keep(turn: Turn): Promise<void>;
  /** By its id; null when it is not kept. */
  get(session: SessionId, id: string): Promise<Turn | null>;
  /** Of one session, oldest first. A slice beyond the end is empty. */
  list(session: SessionId, slice?: TurnSlice): Promise<readonly Turn[]>;
  /** All without an outcome, those of each session in the order of their generations. */
  open(): Promise<readonly Turn[]>;
  /** Removes all of a session. Idempotent. */
  forget(session: SessionId): Promise<void>;
  /** Waits for writes under way. Idempotent. */
  close(): Promise<void>;
}

/** How many turns with an outcome are kept of a session. */
export const TURNS_KEPT = 200;

/** Which of so many things in a row a slice names. */
export function sliceOf<T extends { readonly generation: number }>(all: readonly T[], { from, limit }: TurnSlice): readonly T[] {
  if (from === undefined) return limit === undefined ? all : all.slice(Math.max(0, all.length - limit));
  const wanted = all.filter(({ generation }) => generation >= from);
  return limit === undefined ? wanted : wanted.slice(0, limit);
}
