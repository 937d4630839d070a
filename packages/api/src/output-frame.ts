/** Bytes of a terminal, and the offset of the first one in their stream. */
export interface OutputBytes {
  readonly seq: number;
  readonly bytes: Uint8Array;
}

const HEADER = 8;

/** A binary frame of a stream: the offset in eight bytes, big-endian, then the data. */
export function outputFrame({ seq, bytes }: OutputBytes): Uint8Array {
  const frame = new Uint8Array(HEADER + bytes.length);
  new DataView(frame.buffer).setBigUint64(0, BigInt(seq));
  frame.set(bytes, HEADER);
  return frame;
}

/** Null if it is not such a frame. */
export function readOutput(frame: Uint8Array): OutputBytes | null {
  if (frame.length < HEADER) return null;
  const seq = Number(new DataView(frame.buffer, frame.byteOffset, HEADER).getBigUint64(0));
  return Number.isSafeInteger(seq) ? { seq, bytes: frame.subarray(HEADER) } : null;
}
