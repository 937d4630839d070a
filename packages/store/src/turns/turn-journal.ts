import type { SessionId, Turn } from "@tmpm/core";

export interface TurnSlice {
  /** The first generation; without it the newest are returned. */
  readonly from?: number;
  /** Maximum number; all when undefined. */
  readonly limit?: number;
}

/**
 * The turns of sessions: all open ones, and the last ended ones of each session. One daemon at a time writes to one place. Writes of one
 * session happen in call order, and are durable before they resolve.
 * @throws STORAGE_FULL, STORE_READ_ONLY, STORE_DEGRADED
 */
export interface TurnJournal {
  /** Saves a turn's current state, replacing the previous one. An ended turn no longer changes. */
  keep(turn: Turn): Promise<void>;
  /** By its id; null when it is not stored. */
  get(session: SessionId, id: string): Promise<Turn | null>;
  /** Of one session, oldest first. A slice beyond the end is empty. */
  list(session: SessionId, slice?: TurnSlice): Promise<readonly Turn[]>;
  /** The highest generation of a session, also of a turn that cannot be read; 0 without any. */
  lastGeneration(session: SessionId): Promise<number>;
  /** All open turns, each session's by generation. */
  open(): Promise<readonly Turn[]>;
  /** Removes all turns of a session. Idempotent. */
  forget(session: SessionId): Promise<void>;
  /** Waits for pending writes. Idempotent. */
  close(): Promise<void>;
}

/** Number of ended turns kept per session. */
export const TURNS_KEPT = 200;

/** The indices of a slice of a list of this length. */
export function sliceOf<T extends { readonly generation: number }>(all: readonly T[], { from, limit }: TurnSlice): readonly T[] {
  if (from === undefined) return limit === undefined ? all : all.slice(Math.max(0, all.length - limit));
  const wanted = all.filter(({ generation }) => generation >= from);
  return limit === undefined ? wanted : wanted.slice(0, limit);
}
