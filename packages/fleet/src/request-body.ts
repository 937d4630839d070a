import { Transform } from "node:stream";
import type { Framing } from "./request-head.js";

/** Longest line of a chunk's size, or of the end of one. */
const MOST_SIZE_LINE = 16;

export interface BodyOptions {
  /** Whether the daemon switched protocols; settles with its answer. */
  readonly switched: Promise<boolean>;
}

/**
 * Passes on the body of the exchange's only request. Bytes behind its body, and those for a WebSocket that the daemon did not open, are
 * dropped: the daemon would read them as another request, without the caller's token. Fails on a malformed chunk.
 */
export function bodyOnly(framing: Framing, { switched }: BodyOptions): Transform {
  if (framing.kind === "websocket") return afterSwitch(switched);
  const take = framing.kind === "length" ? lengthLimit(framing.bytes) : chunkLimit();
  return new Transform({
    transform(piece: Buffer, _, done) {
      const part = take(piece);
      if (part === null) done(new Error("a chunk of the request is malformed"));
      else done(null, part);
    },
  });
}

function afterSwitch(switched: Promise<boolean>): Transform {
  return new Transform({
    transform(piece: Buffer, _, done) {
      void switched.then((isSwitched) => done(null, isSwitched ? piece : undefined));
    },
  });
}

/** The part of a piece that belongs to the body; null for a malformed piece. */
type Take = (piece: Buffer) => Buffer | null;

function lengthLimit(bytes: number): Take {
  let left = bytes;
  return (piece) => {
    const part = piece.subarray(0, left);
    left -= part.length;
    return part;
  };
}

/** Neither extensions of chunks nor trailers: no client of ours sends them, and parsers differ in them. */
function chunkLimit(): Take {
  let line = "";
  let left = 0;
  let state: "size" | "data" | "data end" | "last end" | "over" = "size";

  /** Returns false for a malformed line. */
  function ended(): boolean {
    if (state !== "size") {
      state = state === "data end" ? "size" : "over";
      return line === "\r\n";
    }
    const size = /^([0-9a-f]{1,8})\r\n$/i.exec(line)?.[1];
    if (size === undefined) return false;
    left = Number.parseInt(size, 16);
    state = left === 0 ? "last end" : "data";
    return true;
  }

  return (piece) => {
    let at = 0;
    while (at < piece.length && state !== "over") {
      if (state === "data") {
        const bytes = Math.min(left, piece.length - at);
        left -= bytes;
        at += bytes;
        if (left === 0) state = "data end";
        continue;
      }
      line += String.fromCharCode(piece[at] ?? 0);
      at += 1;
      if (line.endsWith("\n")) {
        if (!ended()) return null;
        line = "";
      } else if (line.length > MOST_SIZE_LINE) return null;
    }
    return piece.subarray(0, at);
  };
}
