import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, isTmpmError } from "@tmpm/core";
import type { Reader } from "./reader.js";

const RETRY_MS = [0, 250, 1000, 5000] as const;

export interface LastingReaderOptions {
  /** @throws PANE_GONE, PANE_FOREIGN when there is nothing more to read */
  readonly open: () => Promise<Reader>;
  /** Between two clients, and at the beginning of the next: some of the pane's output was not read. */
  readonly missed: () => void;
  readonly gone: () => void;
}

/** Reads a pane until it is gone. Reconnects when another client detached it, and when the pane moved to another session. */
export interface LastingReader {
  current(): Reader;
  /** Resolves when the client has ended. Idempotent. */
  close(): Promise<void>;
}

/** @throws the error of the first `open` */
export async function lastingReader({ open, missed, gone }: LastingReaderOptions): Promise<LastingReader> {
  let reader = await open();
  const closing = new AbortController();
  const { signal } = closing;
  const kept = keep();

  async function keep(): Promise<void> {
    for (;;) {
      await reader.connection.closed;
      missed();
      const next = await again();
      if (next === null) return;
      reader = next;
      if (signal.aborted) reader.connection.close();
      else missed();
    }
  }

  async function again(): Promise<Reader | null> {
    for (let failures = 0; ; failures++) {
      await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, signal);
      if (signal.aborted) return null;
      try {
        return await open();
      } catch (error) {
        if (!isTmpmError(error)) throw error;
        if (!hasCode(error, "PANE_GONE", "PANE_FOREIGN")) continue;
        gone();
        return null;
      }
    }
  }

  return {
    current: () => reader,
    async close() {
      closing.abort();
      reader.connection.close();
      await kept;
    },
  };
}

/** Ends early, without an error, when aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, null, { ref: false, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
