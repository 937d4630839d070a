import type { SendEntry, SessionId } from "@tmpm/core";

/**
 * Accepted sends, and the progress of each delivery. One daemon at a time writes to one place. Writes are durable before they resolve.
 * @throws STORAGE_FULL, STORE_READ_ONLY, STORE_DEGRADED
 */
export interface SendJournal {
  /**
   * Stores a new send with its text. Its key is in use from the call on. @throws NAME_TAKEN when its id, or its key for the session, is in
   * use; RECORD_UNSUPPORTED, with unknown effect, when the send that uses it, or may use the key, is unreadable or of a newer tmpm
   */
  accept(entry: SendEntry, text: string): Promise<void>;
  /**
   * Replaces the state of a send; a `done` one loses its text. A `done` one that cannot be written is kept in this process, and is written
   * by `flush` or `close`. @throws SESSION_NOT_FOUND when it was never accepted
   */
  note(entry: SendEntry): Promise<void>;
  /** Of one session, newest first. Completed ones are kept for a day. */
  list(session: SessionId): Promise<readonly SendEntry[]>;
  /** All pending ones, oldest first. */
  pending(): Promise<readonly SendEntry[]>;
  /** Null once the send is done. */
  text(entry: Pick<SendEntry, "id" | "session_id">): Promise<string | null>;
  /** Removes all sends of a session. Idempotent. */
  forget(session: SessionId): Promise<void>;
  /** Writes the `done` entries that could not be written. What still cannot be written stays for the next call. */
  flush(): Promise<void>;
  /** Waits for pending writes, and flushes. Idempotent. */
  close(): Promise<void>;
}
