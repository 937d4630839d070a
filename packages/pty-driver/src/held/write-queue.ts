import { hasErrno } from "@tmpm/core";
import { TmpmError } from "@tmpm/core/errors";

/** Maximum bytes pending for a program that does not read. */
const MOST_WAITING = 16 * 1024 * 1024;
/** Retry interval for a full terminal, in ms. */
const RETRY_MS = [1, 2, 4, 8, 16, 32] as const;

/** The writing side of a terminal. */
export interface Sink {
  /** False once its descriptor may have been reused. */
  isOpen(): boolean;
  /** Writes without blocking and returns the number of bytes written. @throws EAGAIN when it accepts none now */
  write(bytes: Uint8Array): number;
}

/** Writes to a terminal in order, each text separately, as fast as its program reads. */
export interface WriteQueue {
  /** Resolves when the system has accepted all of it. @throws RESOURCE_EXHAUSTED (none) when too much is pending; PANE_DEAD */
  add(bytes: Uint8Array): Promise<void>;
  /** The terminal is closed; pending texts are lost with it. */
  close(): void;
}

interface Text {
  readonly bytes: Uint8Array;
  readonly done: () => void;
  readonly refuse: (error: TmpmError) => void;
}

export function writeQueue(sink: Sink): WriteQueue {
  const texts: Text[] = [];
  let waiting = 0;
  let closed = false;
  let busy = false;

  function pump(at: number, failures: number): void {
    const [text] = texts;
    if (text === undefined || closed) {
      busy = false;
      return;
    }
    const written = taken(text.bytes.subarray(at));
    if (written === null) {
      setTimeout(pump, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)], at, failures + 1);
      return;
    }
    if (closed) return;
    waiting -= written;
    const isWhole = at + written === text.bytes.length;
    if (isWhole) {
      texts.shift();
      text.done();
    }
    setImmediate(pump, isWhole ? 0 : at + written, 0);
  }

  /** Null when the terminal is full. Checks and writes in one turn: between two, the descriptor may be reused for a client. */
  function taken(bytes: Uint8Array): number | null {
    try {
      if (sink.isOpen()) return sink.write(bytes);
    } catch (error) {
      if (hasErrno(error, "EAGAIN")) return null;
      // The terminal is gone with its program, whose exit is reported.
    }
    close();
    return 0;
  }

  function close(): void {
    closed = true;
    for (const { refuse } of texts.splice(0)) refuse(dead("unknown"));
  }

  return {
    add(bytes) {
      if (closed || !sink.isOpen()) return Promise.reject(dead("none"));
      if (waiting + bytes.length > MOST_WAITING) {
        return Promise.reject(new TmpmError("RESOURCE_EXHAUSTED", `${waiting} bytes are pending for a program that does not read them`));
      }
      if (bytes.length === 0) return Promise.resolve();
      return new Promise((done, refuse) => {
        texts.push({ bytes, done, refuse });
        waiting += bytes.length;
        if (!busy) {
          busy = true;
          pump(0, 0);
        }
      });
    },
    close,
  };
}

function dead(effect: "none" | "unknown"): TmpmError {
  return new TmpmError("PANE_DEAD", "the session's program has ended, or has closed its terminal", { effect });
}
