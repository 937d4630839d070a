const ESC = 0x1b;
/** In bytes. A longer string is not replayed, so a terminal that attaches within one shows its rest as text. */
const MOST = 4096;

/** The incomplete bytes at the end of a stream: of an escape sequence, or of a character. */
export interface Unfinished {
  take(chunk: Uint8Array): void;
  /** Whether the last sequence and character are complete. */
  isNone(): boolean;
  bytes(): Uint8Array;
}

type State = "ground" | "escape" | "csi" | "string";

export function unfinished(): Unfinished {
  let state: State = "ground";
  let held: Buffer = Buffer.alloc(0);

  return {
    take(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      // An escape always starts a new sequence.
      const last = bytes.lastIndexOf(ESC);
      if (last >= 0) {
        held = bytes.subarray(last);
        state = stateAfter("ground", held);
      } else if (state !== "ground") {
        held = Buffer.concat([held, bytes]);
        state = stateAfter(state, bytes);
      } else held = held.length > 0 && bytes.length < 4 ? Buffer.concat([held, bytes]) : bytes;
      held = Buffer.from(state === "ground" ? partOfCharacter(held) : held.subarray(0, MOST + 1));
    },
    isNone: () => state === "ground" && held.length === 0,
    bytes: () => (held.length > MOST ? new Uint8Array() : held),
  };
}

function stateAfter(before: State, bytes: Uint8Array): State {
  let state = before;
  for (const byte of bytes) state = next(state, byte);
  return state;
}

function next(state: State, byte: number): State {
  if (byte === ESC) return "escape";
  if (byte === 0x18 || byte === 0x1a) return "ground";
  if (state === "escape") return afterEscape(byte);
  if (state === "csi") return byte >= 0x40 && byte <= 0x7e ? "ground" : "csi";
  if (state === "string") return byte === 0x07 ? "ground" : "string";
  return "ground";
}

function afterEscape(byte: number): State {
  if (byte === 0x5b) return "csi";
  // DCS, SOS, OSC, PM and APC.
  if ([0x50, 0x58, 0x5d, 0x5e, 0x5f].includes(byte)) return "string";
  return byte < 0x30 ? "escape" : "ground";
}

/** The beginning of an incomplete UTF-8 character. */
function partOfCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return bytes.subarray(bytes.length - (lengthOf(byte) > back ? back : 0) || bytes.length);
  }
  return bytes.subarray(bytes.length);
}

function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
