import { write } from "node:fs";
import { TmpmError } from "@tmpm/core/errors";

/** What may wait for a program that reads nothing. */
const MOST_WAITING = 16 * 1024 * 1024;
/** How often a terminal that is full is tried again, in ms. */
const RETRY_MS = [1, 2, 4, 8, 16, 32] as const;

/** Writes to a terminal in order, each text by itself, and as fast as its program reads. */
export interface WriteQueue {
  /** Resolves when the system has taken all of it. @throws RESOURCE_EXHAUSTED (none) when too much waits; PANE_DEAD */
  add(bytes: Uint8Array): Promise<void>;
  /** The terminal is closed; what waits is lost with it. */
  close(): void;
}

interface Text {
  readonly bytes: Uint8Array;
  readonly done: () => void;
  readonly refuse: (error: TmpmError) => void;
}

export function writeQueue(fd: number): WriteQueue {
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
    write(fd, text.bytes, at, text.bytes.length - at, null, (error, written) => {
      if (closed) return;
      if (error !== null) return failed(error, at, failures);
      waiting -= written;
      if (at + written < text.bytes.length) return pump(at + written, 0);
      texts.shift();
      text.done();
      pump(0, 0);
    });
  }

  function failed(error: NodeJS.ErrnoException, at: number, failures: number): void {
    if (error.code === "EAGAIN") {
      setTimeout(() => pump(at, failures + 1), RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
      return;
    }
    // The terminal is gone with its program; its exit tells.
    close();
  }

  function close(): void {
    closed = true;
    for (const { refuse } of texts.splice(0)) refuse(dead("unknown"));
  }

  return {
    add(bytes) {
      if (closed) return Promise.reject(dead("none"));
      if (waiting + bytes.length > MOST_WAITING) {
        return Promise.reject(new TmpmError("RESOURCE_EXHAUSTED", `${waiting} bytes wait for a program that does not read them`));
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
  return new TmpmError("PANE_DEAD", "the session's program has ended", { effect });
}
