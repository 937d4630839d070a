import type { Terminal } from "@tmpm/api/client";
import { hasCode, isTmpmError } from "@tmpm/core/errors";

export interface ScreenWatch {
  /** Its screen now. */
  readonly capture: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Its terminal, whose output is followed; null for a session without one. */
  readonly follow: ((signal: AbortSignal) => Terminal) | null;
  /** Calls back at each of its events, until the returned function is called. */
  readonly events: (heard: () => void) => () => void;
  readonly isRunning: boolean;
  readonly seen: (lines: readonly string[]) => void;
  readonly failed: (error: unknown) => void;
  /** Resolves after the given number of ms. */
  readonly pause: (ms: number) => Promise<void>;
}

const BETWEEN_LOOKS_MS = 250;
/** After a failure that may pass. */
const AGAIN_MS = 2_000;
/** Without a terminal to follow, a conversation is looked at this often while its program runs: not all of its text comes with an event. */
const POLL_MS = 2_000;

/** Failures that pass without an event of the session. */
const PASSING = [
  "DAEMON_UNREACHABLE",
  "SHUTTING_DOWN",
  "NOT_READY",
  "OVERLOADED",
  "RESOURCE_EXHAUSTED",
  "TIMEOUT",
  "UNRESPONSIVE",
  "HOST_UNAVAILABLE",
  "TMUX_UNRESPONSIVE",
  "TMUX_FAILED",
  "NODE_OFFLINE",
] as const;

/** Captures a screen, and again whenever its terminal prints or, without one, at its events; throttled to reading speed. Returns the function that ends it. */
export function watchScreen({ capture, follow, events, isRunning, seen, failed, pause }: ScreenWatch): () => void {
  const leave = new AbortController();
  const { signal } = leave;
  let [looking, again] = [false, false];

  async function look(): Promise<void> {
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    do {
      again = false;
      const isLate = await lookOnce();
      again = again || isLate;
      await pause(isLate ? AGAIN_MS : BETWEEN_LOOKS_MS);
    } while (again && !signal.aborted);
    looking = false;
  }

  /** Whether it failed, but may succeed later. */
  async function lookOnce(): Promise<boolean> {
    try {
      const lines = await capture(signal);
      if (!signal.aborted) seen(lines);
      return false;
    } catch (error) {
      if (!signal.aborted) failed(error);
      return hasCode(error, ...PASSING);
    }
  }

  async function followOutput(terminal: Terminal): Promise<void> {
    try {
      for await (const event of terminal) if (event.kind !== "size") void look();
    } catch (error) {
      if (signal.aborted) return;
      if (!isTmpmError(error)) throw error;
      await poll();
    }
  }

  /** For what cannot be followed. */
  async function poll(): Promise<void> {
    const over = events(() => void look());
    signal.addEventListener("abort", over, { once: true });
    while (isRunning && !signal.aborted) {
      await pause(POLL_MS);
      if (!signal.aborted) await look();
    }
  }

  void look();
  void (isRunning && follow !== null ? followOutput(follow(signal)) : poll());
  return () => leave.abort();
}
