import type { RenderedScreen } from "./rendered-screen.js";

/** Timing of each part of the work, in ms; `now` is monotonic. */
export interface LazyClock {
  now(): number;
  later(task: () => void, ms: number): void;
}

/** Maximum pending bytes; more must be rendered first. */
const MOST_WAITING = 4 * 1024 * 1024;
/** Maximum number of empty slots at the front of the queue. */
const MOST_EMPTY = 1_024;
/** A program silent for this long is not printing a lot. */
const QUIET_MS = 4;
/** The share of time left for reading while a program prints a lot. */
const BUSY = { workMs: 2, pauseMs: 8 } as const;
const IDLE = { workMs: 10, pauseMs: 0 } as const;

const REAL: LazyClock = { now: () => performance.now(), later: (task, ms) => void setTimeout(task, ms) };

/**
 * The same screen, without delaying a program that prints a lot: bytes are queued, and rendered when the screen is requested, when output
 * stops, and in short slices meanwhile. A requested screen always includes all bytes.
 */
export function lazyScreen(screen: RenderedScreen, clock: LazyClock = REAL): RenderedScreen {
  const waiting: (Uint8Array | null)[] = [];
  let next = 0;
  let size = 0;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let scheduled = false;

  function renderOne(): void {
    const bytes = waiting[next] ?? null;
    if (bytes === null) return;
    // A program that never pauses leaves the queue full, so rendered chunks must be released.
    waiting[next] = null;
    next += 1;
    size -= bytes.length;
    if (size === 0 || next === MOST_EMPTY) {
      waiting.splice(0, next);
      next = 0;
    }
    screen.write(bytes);
  }

  function renderAll(): RenderedScreen {
    while (size > 0) renderOne();
    return screen;
  }

  function schedule(ms: number): void {
    if (scheduled) return;
    scheduled = true;
    clock.later(slice, ms);
  }

  function slice(): void {
    scheduled = false;
    const begun = clock.now();
    const { workMs, pauseMs } = begun - writtenAt < QUIET_MS ? BUSY : IDLE;
    while (size > 0 && clock.now() - begun < workMs) renderOne();
    if (size > 0) schedule(pauseMs);
  }

  return {
    write(bytes) {
      if (bytes.length === 0) return;
      const now = clock.now();
      const quiet = now - writtenAt >= QUIET_MS;
      writtenAt = now;
      if (quiet && size === 0) return screen.write(bytes);
      waiting.push(bytes);
      size += bytes.length;
      while (size > MOST_WAITING) renderOne();
      schedule(BUSY.pauseMs);
    },
    resize: (to) => renderAll().resize(to),
    facts: (history) => renderAll().facts(history),
    paint: () => renderAll().paint(),
    framesPastes: () => renderAll().framesPastes(),
    keyModes: () => renderAll().keyModes(),
  };
}
