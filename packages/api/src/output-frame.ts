/** Bytes of a terminal, and the number of the first of them in their stream. */
export interface OutputBytes {
  readonly seq: number;
  readonly bytes: Uint8Array;
}

const HEADER = 8;

/** A binary frame of a stream: eight bytes, big-endian, and what they count from. */
export function outputFrame({ seq, bytes }: OutputBytes): Uint8Array {
  const frame = new Uint8Array(HEADER + bytes.length);
  new DataView(frame.buffer).setBigUint64(0, BigInt(seq));
  frame.set(bytes, HEADER);
  return frame;
}

/** Null for what is no such frame. */
export function readOutput(frame: Uint8Array): OutputBytes | null {
  if (frame.length < HEADER) return null;
  const seq = Number(new DataView(frame.buffer, frame.byteOffset, HEADER).getBigUint64(0));
  return Number.isSafeInteger(seq) ? { seq, bytes: frame.subarray(HEADER) } : null;
}
