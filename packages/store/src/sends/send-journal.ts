import type { SendEntry, SessionId } from "@tmpm/core";

/**
 * What was accepted to be sent, and how far each delivery has come. One daemon at a time writes to one place. Writes are durable before they resolve.
 * @throws STORAGE_FULL, STORE_READ_ONLY, STORE_DEGRADED
 */
export interface SendJournal {
  /** Keeps a new send with its text. Its key is taken from the moment of the call. @throws NAME_TAKEN when its id, or its key for the session, is in use */
  accept(entry: SendEntry, text: string): Promise<void>;
  /** Replaces what is known of a send; one that is `done` loses its text. @throws SESSION_NOT_FOUND when it was never accepted */
  note(entry: SendEntry): Promise<void>;
  /** Of one session, newest first. Those that are done are kept for a day. */
  list(session: SessionId): Promise<readonly SendEntry[]>;
  /** All that are not done, oldest first. */
  pending(): Promise<readonly SendEntry[]>;
  /** Null once the send is done. */
  text(entry: Pick<SendEntry, "id" | "session_id">): Promise<string | null>;
  /** Removes all of a session. Idempotent. */
  forget(session: SessionId): Promise<void>;
  /** Waits for writes under way. Idempotent. */
  close(): Promise<void>;
}
