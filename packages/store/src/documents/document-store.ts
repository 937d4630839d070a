/** A document that cannot be used; its file stays unchanged. */
export interface DamagedDocument {
  readonly path: string;
  readonly reason: string;
}

/**
 * One document for each key, for data kept beside the records. One process at a time writes to one place.
 * Writes of one key happen in call order. @throws STORAGE_FULL, STORE_READ_ONLY, STORE_DEGRADED
 */
export interface DocumentStore<T> {
  /** All documents. A damaged one does not hide others. */
  all(): Promise<{ readonly documents: ReadonlyMap<string, T>; readonly damaged: readonly DamagedDocument[] }>;
  /** Null for a missing one. @throws STORE_DEGRADED when it is damaged; RECORD_UNSUPPORTED when it is not understood */
  get(key: string): Promise<T | null>;
  /**
   * Resolves once the document is durable. @throws RECORD_UNSUPPORTED when it would replace one that is not understood, as of a newer tmpm;
   * STORE_DEGRADED when it would replace an unreadable one
   */
  put(key: string, document: T): Promise<void>;
  /** Idempotent. */
  delete(key: string): Promise<void>;
}
