import type { DocumentStore } from "./document-store.js";

/** Documents in this process, for tests. */
export interface MemoryDocuments<T> extends DocumentStore<T> {
  /** Every write rejects with `error` until it is null again. */
  failWith(error: Error | null): void;
}

export function memoryDocuments<T>(documents: ReadonlyMap<string, T> = new Map()): MemoryDocuments<T> {
  const kept = new Map(documents);
  let failure: Error | null = null;
  const write = async (change: () => void) => {
    if (failure !== null) throw failure;
    change();
  };
  return {
    all: async () => ({ documents: new Map(kept), damaged: [] }),
    get: async (key) => kept.get(key) ?? null,
    put: (key, document) => write(() => void kept.set(key, document)),
    delete: (key) => write(() => void kept.delete(key)),
    failWith(error) {
      failure = error;
    },
  };
}
