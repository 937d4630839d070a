/** The last bytes of a stream, numbered from its beginning, in a fixed amount of memory. */
export interface ByteRing {
  /** The number of the oldest stored byte. */
  from(): number;
  /** The number of the next byte. */
  to(): number;
  write(bytes: Uint8Array): void;
  /** A copy of up to `most` bytes from this number; null when no longer stored. */
  read(from: number, most: number): Uint8Array | null;
  /** Clears the ring; the next byte has this number. */
  restart(at: number): void;
}

export function byteRing(capacity: number): ByteRing {
  const kept = Buffer.allocUnsafeSlow(capacity);
  let from = 0;
  let to = 0;

  return {
    from: () => from,
    to: () => to,
    write(bytes) {
      const last = bytes.length > capacity ? bytes.subarray(bytes.length - capacity) : bytes;
      const at = (to + bytes.length - last.length) % capacity;
      const first = last.subarray(0, capacity - at);
      kept.set(first, at);
      kept.set(last.subarray(first.length), 0);
      to += bytes.length;
      from = Math.max(from, to - capacity);
    },
    read(wanted, most) {
      if (wanted < from || wanted > to) return null;
      const length = Math.min(most, to - wanted);
      const at = wanted % capacity;
      const first = kept.subarray(at, Math.min(capacity, at + length));
      return first.length === length ? Buffer.from(first) : Buffer.concat([first, kept.subarray(0, length - first.length)]);
    },
    restart(at) {
      from = at;
      to = at;
    },
  };
}
