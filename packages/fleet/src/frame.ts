/** The types of a frame. An unlisted type belongs to a later version, and is skipped. */
export const FRAME = { hello: 1, ping: 2, pong: 3, open: 4, data: 5, credit: 6, end: 7, reset: 8 } as const;

export interface Frame {
  readonly type: number;
  /** 0 for frames of the whole link. */
  readonly channel: number;
  /** Counts the frames of one direction, from 0, modulo 2^32. */
  readonly serial: number;
  readonly payload: Uint8Array;
}

/** Four bytes for the length of the rest, one for the type, four for the channel, four for the sequence number; big-endian. */
const HEADER = 13;
const LENGTH = 4;
/** The largest payload, in bytes. */
export const MOST_PAYLOAD = 256 * 1024;

/** Begins every stream of frames. A login shell may print its own text before it. */
export const PREAMBLE = new TextEncoder().encode("\u0000tmpm-link\n");
/** Maximum length of such text, in bytes. */
const MOST_NOISE = 64 * 1024;

/** Input that violates the protocol. */
export class BadFrame extends Error {
  override readonly name = "BadFrame";
}

export function encodeFrame({ type, channel, serial, payload }: Frame): Uint8Array {
  const bytes = new Uint8Array(HEADER + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, HEADER - LENGTH + payload.length);
  view.setUint8(4, type);
  view.setUint32(5, channel);
  view.setUint32(9, serial);
  bytes.set(payload, HEADER);
  return bytes;
}

export interface FrameParserOptions {
  /** The stream begins with `PREAMBLE`; other text may precede it. */
  readonly preamble: boolean;
  readonly onFrame: (frame: Frame) => void;
}

/** Accepts the bytes of a stream in pieces of any size. @throws BadFrame */
export function frameParser({ preamble, onFrame }: FrameParserOptions): (piece: Uint8Array) => void {
  let begun = !preamble;
  let pieces: Uint8Array[] = [];
  let size = 0;
  let wanted = begun ? HEADER : 1;

  function read(bytes: Uint8Array): Uint8Array {
    let rest = bytes;
    if (!begun) {
      const from = indexOf(rest, PREAMBLE);
      if (from < 0 && rest.length > MOST_NOISE) throw new BadFrame("no link answers there");
      if (from < 0) return rest;
      begun = true;
      rest = rest.subarray(from + PREAMBLE.length);
    }
    for (wanted = HEADER; rest.length >= HEADER; wanted = HEADER) {
      const view = new DataView(rest.buffer, rest.byteOffset, rest.byteLength);
      const length = view.getUint32(0) + LENGTH;
      if (length < HEADER || length > HEADER + MOST_PAYLOAD) throw new BadFrame(`a frame has ${length} bytes, outside the limits`);
      wanted = length;
      if (rest.length < length) break;
      onFrame({ type: view.getUint8(4), channel: view.getUint32(5), serial: view.getUint32(9), payload: rest.subarray(HEADER, length) });
      rest = rest.subarray(length);
    }
    return rest;
  }

  return (piece) => {
    pieces.push(piece);
    size += piece.length;
    if (size < wanted) return;
    const rest = read(pieces.length === 1 ? piece : concat(pieces, size));
    pieces = rest.length === 0 ? [] : [rest];
    size = rest.length;
  };
}

function concat(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  const last = bytes.length - wanted.length;
  for (let at = 0; at <= last; at++) if (wanted.every((byte, offset) => bytes[at + offset] === byte)) return at;
  return -1;
}
