/** The last bytes of a stream, with offsets from its beginning, in a fixed amount of memory. */
export interface ReplayRing {
  /** The offset of the oldest byte kept. */
  from(): number;
  /** The offset of the next byte. */
  to(): number;
  write(bytes: Uint8Array): void;
  /** At most this many bytes from an offset on, copied; null when it has expired, or is not yet written. */
  read(from: number, most: number): Uint8Array | null;
}

export function replayRing(capacity: number): ReplayRing {
  const kept = Buffer.allocUnsafeSlow(capacity);
  let from = 0;
  let to = 0;
  return {
    from: () => from,
    to: () => to,
    write(bytes) {
      const last = bytes.subarray(Math.max(0, bytes.length - capacity));
      const at = (to + bytes.length - last.length) % capacity;
      const before = Math.min(last.length, capacity - at);
      kept.set(last.subarray(0, before), at);
      kept.set(last.subarray(before), 0);
      to += bytes.length;
      from = Math.max(from, to - capacity);
    },
    read(wanted, most) {
      if (wanted < from || wanted > to) return null;
      const bytes = Buffer.allocUnsafe(Math.min(most, to - wanted));
      const at = wanted % capacity;
      const before = Math.min(bytes.length, capacity - at);
      bytes.set(kept.subarray(at, at + before), 0);
      bytes.set(kept.subarray(0, bytes.length - before), before);
      return bytes;
    },
  };
}
