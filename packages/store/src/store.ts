import type { SessionId, SessionRecord, TmpmError } from "@tmpm/core";

/** The store's entry of one session. Only `session` is ever written; an entry never hides others. */
export type Entry =
  | { readonly kind: "session"; readonly record: SessionRecord; readonly archived: boolean }
  /** A record of a newer tmpm, or with a value that this version does not know: readable, never written. */
  | (Lost & { readonly kind: "unsupported"; readonly document: unknown })
  /** A file that is not a record: kept verbatim at `path`. */
  | (Lost & { readonly kind: "damaged"; readonly path: string });

interface Lost {
  readonly id: string;
  readonly project_id: string;
  readonly reason: string;
  /** Its last readable version, if a caller remembers it; no store sets it. */
  readonly last?: SessionRecord;
}

export interface ListFilter {
  readonly project_id?: string;
  /** Include archived sessions; default false. */
  readonly archived?: boolean;
}

/** A change of ours that a program without our lock overwrote. Both versions are in the file at `path`, until the user removes it. */
export interface Conflict {
  readonly id: SessionId;
  readonly path: string;
}

/** `degraded`: the last reload failed, the last known records are returned and nothing is written until one succeeds. */
export type Health =
  | { readonly state: "ok"; readonly conflicts?: readonly Conflict[] }
  | { readonly state: "degraded"; readonly error: TmpmError };

export type StoreEvent =
  | { readonly type: "created" | "updated"; readonly record: SessionRecord }
  | { readonly type: "removed"; readonly id: SessionId }
  | ({ readonly type: "conflict" } & Conflict)
  /** Changes may have been missed: list again. */
  | { readonly type: "look" };

export interface Subscription {
  /** Idempotent. No listener runs after it. */
  close(): void;
}

/**
 * Session records, shared with every other process that uses the same place. Reads see all changes made before the call; writes are durable
 * before they resolve. Unknown fields survive every write, value-exact.
 * Writes @throws STORE_DEGRADED, STORE_READ_ONLY, STORAGE_FULL (effect none); RECORD_DAMAGED, RECORD_UNSUPPORTED for entries that cannot be
 * written.
 */
export interface SessionStore {
  /** Newest first by `created_at`, then by id. A returned list stays as it is: after a change there is another one. */
  list(filter?: ListFilter): Promise<readonly Entry[]>;
  /** By exact id, also archived ones; null for a missing one. */
  get(id: SessionId): Promise<Entry | null>;
  /** All entries whose id, name or tmux name is `text` or, without any, begins with it. Empty text finds nothing. */
  find(text: string, filter?: ListFilter): Promise<readonly Entry[]>;
  /** The non-terminal session that works on an issue of a project; the newest of several. */
  findByIssue(project_id: string, issue_id: string): Promise<Entry | null>;
  /** Stores a new record with `rev` 1. @throws NAME_TAKEN when the id exists */
  create(record: SessionRecord): Promise<SessionRecord>;
  /**
   * Applies `change` to the current record under an exclusive lock, and stores the result with the next `rev`. Returning the same object
   * writes nothing. `change` may be called again when the record changed meanwhile, so it has no side effects.
   * @throws SESSION_NOT_FOUND; whatever `change` throws, with nothing written
   */
  update(id: SessionId, change: (current: SessionRecord) => SessionRecord): Promise<SessionRecord>;
  /** Moves a record, archived or not, to another project: at every moment it is in exactly one of the two. Its `rev` stays. Idempotent. @throws SESSION_NOT_FOUND, INVALID_ARGUMENT */
  move(id: SessionId, project_id: string): Promise<SessionRecord>;
  /** Moves a record out of the default listing. Idempotent. @throws SESSION_NOT_FOUND */
  archive(id: SessionId): Promise<void>;
  /** Moves an archived record back into the default listing. Idempotent. @throws SESSION_NOT_FOUND */
  unarchive(id: SessionId): Promise<void>;
  /** Removes a record permanently. Idempotent. */
  delete(id: SessionId): Promise<void>;
  /** Reports changes by any process until closed. The first event is `look`. */
  watch(listener: (event: StoreEvent) => void): Subscription;
  health(): Health;
  /** Idempotent. */
  close(): Promise<void>;
}
