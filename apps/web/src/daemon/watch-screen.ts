import { openTerminal } from "@tmpm/api/client";
import { isTmpmError } from "@tmpm/core/errors";
import { streams, tmpm } from "./tmpm.js";

export interface ScreenWatch {
  readonly session: string;
  readonly history: number;
  /** The program runs, so its terminal can be followed. */
  readonly live: boolean;
  readonly seen: (lines: readonly string[]) => void;
  readonly failed: (error: unknown) => void;
}

const BETWEEN_LOOKS_MS = 250;

/** Captures a screen, and again whenever its stream reports output, throttled to reading speed. Returns the function that ends it. */
export function watchScreen({ session, history, live, seen, failed }: ScreenWatch): () => void {
  const leave = new AbortController();
  const { signal } = leave;
  let [looking, again] = [false, false];

  async function look(): Promise<void> {
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    try {
      do {
        again = false;
        const { lines } = await tmpm.capture({ session, ...(history === 0 ? {} : { history: String(history) }) }, { signal });
        if (!signal.aborted) seen(lines);
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
      } while (again && !signal.aborted);
    } catch (error) {
      if (!signal.aborted) failed(error);
    } finally {
      looking = false;
    }
  }

  async function follow(): Promise<void> {
    try {
      for await (const event of openTerminal(streams, { session, signal, attempts: Number.POSITIVE_INFINITY })) {
        if (event.kind !== "size") void look();
      }
    } catch (error) {
      // A terminal that cannot be followed is captured when its session has an event.
      if (!signal.aborted && !isTmpmError(error)) throw error;
    }
  }

  void look();
  if (live) void follow();
  return () => leave.abort();
}
