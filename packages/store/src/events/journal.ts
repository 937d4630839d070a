import type { Event, EventBody } from "@tmpm/core";
import type { Subscription } from "../store.js";

/** The entry of one number. Every assigned number has exactly one entry. */
export type JournalEntry =
  | { readonly kind: "event"; readonly seq: number; readonly event: Event }
  /** An event of a newer tmpm, complete: to be passed on, and otherwise ignored. */
  | { readonly kind: "unknown"; readonly seq: number; readonly event: Readonly<Record<string, unknown>> }
  /** An event that can no longer be read. */
  | { readonly kind: "damaged"; readonly seq: number; readonly reason: string };

export type JournalPage =
  /** The entries after the given number, without a gap, at most `limit`; none when there are no newer ones. */
  | { readonly kind: "events"; readonly entries: readonly JournalEntry[] }
  /**
   * The next entries have expired, or the number was never assigned: take a snapshot, then read after `snapshot_at`. To read the remaining
   * ones, read after `oldest`.
   */
  | { readonly kind: "behind"; readonly snapshot_at: number; readonly oldest: number };

export interface ReadFrom {
  /** The last event number known to the reader; 0 for none. */
  readonly after: number;
  readonly limit: number;
}

/** Retention of a journal. Both bounds drop the oldest events, many at a time; numbers continue. */
export interface JournalLimits {
  /** Total size, in bytes. */
  readonly maxBytes?: number;
  readonly maxAgeMs?: number;
  /** Wall clock in milliseconds. */
  readonly clock?: () => number;
}

/** Events numbered without gaps from 1, continuing across restarts. One journal at a time writes to one place. */
export interface EventJournal {
  /**
   * Resolves with the numbered event once it is durable. Events get their numbers in call order.
   * @throws INVALID_ARGUMENT; STORAGE_FULL, STORE_READ_ONLY, STORE_DEGRADED with effect unknown when the event may still be read later
   */
  append(body: EventBody): Promise<Event>;
  read(from: ReadFrom): Promise<JournalPage>;
  /** Reports every event that becomes durable from now on, once and in order, before its append resolves. */
  follow(listener: (entry: JournalEntry) => void): Subscription;
  /** Waits for pending appends. Idempotent. */
  close(): Promise<void>;
}
