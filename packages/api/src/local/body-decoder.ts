import { BadResponse } from "./bad-response.js";

/** Collects one body from pieces of any size. */
export interface BodyDecoder {
  /** Adds the next bytes; true once the body is complete. Bytes after the body are ignored. @throws BadResponse */
  push(bytes: Buffer): boolean;
  /** Whether the body is complete if the connection ends now. */
  readonly endsWithConnection: boolean;
  text(): string;
}

const MAX_LINE = 1024;

export function fixedBody(length: number, maxBytes: number): BodyDecoder {
  if (length > maxBytes) throw tooLarge(maxBytes);
  const collected = collector(maxBytes);
  return {
    endsWithConnection: false,
    push(bytes) {
      collected.add(bytes.subarray(0, length - collected.size()));
      return collected.size() === length;
    },
    text: collected.text,
  };
}

/** A body that ends with the connection. */
export function openBody(maxBytes: number): BodyDecoder {
  const collected = collector(maxBytes);
  return {
    endsWithConnection: true,
    push(bytes) {
      collected.add(bytes);
      return false;
    },
    text: collected.text,
  };
}

type Phase = { readonly at: "size" | "end" | "trailer" | "done" } | { readonly at: "data"; readonly left: number };

/** A body in chunks (RFC 9112, 7.1); trailers are read and discarded. */
export function chunkedBody(maxBytes: number): BodyDecoder {
  const collected = collector(maxBytes);
  let phase: Phase = { at: "size" };
  let pending: Buffer = Buffer.alloc(0);

  function step(): Phase | null {
    if (phase.at === "done") return null;
    if (phase.at === "data") {
      if (pending.length === 0) return null;
      const bytes = pending.subarray(0, phase.left);
      collected.add(bytes);
      pending = pending.subarray(bytes.length);
      return bytes.length === phase.left ? { at: "end" } : { at: "data", left: phase.left - bytes.length };
    }
    const line = nextLine(pending);
    if (line === null) return null;
    pending = pending.subarray(line.length + 2);
    return afterLine(phase.at, line);
  }

  return {
    endsWithConnection: false,
    push(bytes) {
      pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
      for (let next = step(); next !== null; next = step()) phase = next;
      return phase.at === "done";
    },
    text: collected.text,
  };
}

function afterLine(at: "size" | "end" | "trailer", line: string): Phase {
  if (at === "trailer") return { at: line === "" ? "done" : "trailer" };
  if (at === "end") {
    if (line !== "") throw new BadResponse("a chunk of the response is not terminated");
    return { at: "size" };
  }
  const match = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line);
  if (match?.[1] === undefined) throw new BadResponse("a chunk of the response has no size");
  const left = Number.parseInt(match[1], 16);
  return left === 0 ? { at: "trailer" } : { at: "data", left };
}

function nextLine(bytes: Buffer): string | null {
  const end = bytes.indexOf("\r\n");
  if (end > MAX_LINE || (end < 0 && bytes.length > MAX_LINE)) throw new BadResponse("a line of the response is too long");
  return end < 0 ? null : bytes.toString("latin1", 0, end);
}

function collector(maxBytes: number) {
  const parts: Buffer[] = [];
  let size = 0;
  return {
    size: () => size,
    text: () => Buffer.concat(parts).toString("utf8"),
    add(bytes: Buffer) {
      size += bytes.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      parts.push(bytes);
    },
  };
}

function tooLarge(maxBytes: number): BadResponse {
  return new BadResponse(`the response is larger than ${maxBytes} bytes`);
}
