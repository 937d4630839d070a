import type { RenderedScreen } from "./rendered-screen.js";

/** When each piece of the work is due, in ms; `now` is monotonic. */
export interface LazyClock {
  now(): number;
  later(task: () => void, ms: number): void;
}

/** Bytes that wait at most: then what comes waits for the screen. */
const MOST_WAITING = 4 * 1024 * 1024;
/** Places at the front of the queue that are empty at most. */
const MOST_EMPTY = 1_024;
/** A program that printed nothing for so long is not printing a lot. */
const QUIET_MS = 4;
/** While a program prints a lot, so much of the time is left to reading it. */
const BUSY = { workMs: 2, pauseMs: 8 } as const;
const IDLE = { workMs: 10, pauseMs: 0 } as const;

const REAL: LazyClock = { now: () => performance.now(), later: (task, ms) => void setTimeout(task, ms) };

/**
 * The same screen, which a program that prints a lot does not wait for: bytes are kept, and rendered when the screen is requested, when nothing more comes, and in short
 * slices meanwhile. What is asked of it is always what all bytes make.
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
    // A program that never pauses leaves the queue full: what is rendered must not stay in it.
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
