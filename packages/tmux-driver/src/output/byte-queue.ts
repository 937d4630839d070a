/** Number of chunks merged into one, since small ones cost more than their bytes. */
const MOST_PIECES = 1024;

/** Pending bytes, in order and without a gap. */
export interface ByteQueue {
  size(): number;
  /** `at` is their offset in the stream. */
  add(bytes: Uint8Array, at: number): void;
  /** Removes and returns all of them. */
  take(): { readonly offset: number; readonly bytes: Uint8Array };
  drop(): void;
}

export function byteQueue(): ByteQueue {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let offset = 0;
  const drop = () => {
    pieces = [];
    size = 0;
  };
  return {
    size: () => size,
    add(bytes, at) {
      if (size === 0) offset = at;
      pieces.push(bytes);
      size += bytes.length;
      if (pieces.length >= MOST_PIECES) pieces = [Buffer.concat(pieces)];
    },
    take() {
      const [only] = pieces;
      const bytes = only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
      drop();
      return { offset, bytes };
    },
    drop,
  };
}
