/** Chunks that wait to be rendered, in order. */
export interface PendingBytes {
  /** In bytes. */
  size(): number;
  push(bytes: Uint8Array): void;
  /** Null when there are none. */
  shift(): Uint8Array | null;
  all(): readonly Uint8Array[];
  replace(chunks: readonly Uint8Array[]): void;
}

/** Maximum number of empty slots at the front of the queue. */
const MOST_EMPTY = 1_024;

export function pendingBytes(): PendingBytes {
  const chunks: (Uint8Array | null)[] = [];
  let next = 0;
  let size = 0;

  function push(bytes: Uint8Array): void {
    chunks.push(bytes);
    size += bytes.length;
  }

  return {
    size: () => size,
    push,
    shift() {
      const bytes = chunks[next] ?? null;
      if (bytes === null) return null;
      // A program that never pauses leaves the queue full, so rendered chunks must be released.
      chunks[next] = null;
      next += 1;
      size -= bytes.length;
      if (size === 0 || next === MOST_EMPTY) {
        chunks.splice(0, next);
        next = 0;
      }
      return bytes;
    },
    all: () => chunks.flatMap((chunk) => chunk ?? []),
    replace(all) {
      chunks.length = 0;
      next = 0;
      size = 0;
      for (const bytes of all) push(bytes);
    },
  };
}
