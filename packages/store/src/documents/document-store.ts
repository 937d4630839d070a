/** A document that was found and cannot be used; its file stays as it is. */
export interface DamagedDocument {
  readonly path: string;
  readonly reason: string;
}

/**
 * One document for each key, for what is kept beside the records. One process at a time writes to one place.
 * Writes of one key happen in the order of the calls. @throws STORAGE_FULL, STORE_READ_ONLY, STORE_DEGRADED
 */
export interface DocumentStore<T> {
  /** Everything that is kept. One document that is damaged hides no other. */
  all(): Promise<{ readonly documents: ReadonlyMap<string, T>; readonly damaged: readonly DamagedDocument[] }>;
  /** Null when there is none. @throws STORE_DEGRADED when it is damaged */
  get(key: string): Promise<T | null>;
  /** Resolves once the document is durable. */
  put(key: string, document: T): Promise<void>;
  /** Idempotent. */
  delete(key: string): Promise<void>;
}
