import type { Event, EventBody } from "@tmpm/core";
import type { Subscription } from "../store.js";

/** What stands under one number. Every number that was ever given out stands for exactly one entry. */
export type JournalEntry =
  | { readonly kind: "event"; readonly seq: number; readonly event: Event }
  /** An event of a newer tmpm, complete: to be passed on, and otherwise ignored. */
  | { readonly kind: "unknown"; readonly seq: number; readonly event: Readonly<Record<string, unknown>> }
  /** An event was there and can no longer be read. */
  | { readonly kind: "damaged"; readonly seq: number; readonly reason: string };

export type JournalPage =
  /** The entries after the asked number, without a gap, at most `limit`; none when there are no newer ones. */
  | { readonly kind: "events"; readonly entries: readonly JournalEntry[] }
  /**
   * What follows the asked number is no longer kept, or the number was never given out: take a snapshot, then read after `snapshot_at`. A reader that wants
   * what is left reads after `oldest`.
   */
  | { readonly kind: "behind"; readonly snapshot_at: number; readonly oldest: number };

export interface ReadFrom {
  /** The number of the last event that the reader knows; 0 for none. */
  readonly after: number;
  readonly limit: number;
}

/** How much a journal keeps. Both bounds drop the oldest events, many at a time; numbers continue. */
export interface JournalLimits {
  /** Of everything that is kept, in bytes. */
  readonly maxBytes?: number;
  readonly maxAgeMs?: number;
  /** Wall clock in milliseconds. */
  readonly clock?: () => number;
}

/** Events under numbers without gaps, from 1, that continue across restarts. One journal at a time writes to one place. */
export interface EventJournal {
  /**
   * Resolves with the numbered event once it is durable. Events get their numbers in the order of the calls.
   * @throws INVALID_ARGUMENT; STORAGE_FULL, STORE_READ_ONLY, STORE_DEGRADED with effect unknown when the event may be read later nonetheless
   */
  append(body: EventBody): Promise<Event>;
  read(from: ReadFrom): Promise<JournalPage>;
  /** Reports every event that becomes durable from now on, once and in order, before its append resolves. */
  follow(listener: (entry: JournalEntry) => void): Subscription;
  /** Waits for appends under way. Idempotent. */
  close(): Promise<void>;
}
