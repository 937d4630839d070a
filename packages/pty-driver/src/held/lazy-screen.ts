import { pendingBytes } from "./pending-bytes.js";
import type { RenderedScreen } from "./rendered-screen.js";
import { withoutScrolledAway } from "./scrolled-away.js";

/** Timing of each part of the work, in ms; `now` is monotonic. */
export interface LazyClock {
  now(): number;
  later(task: () => void, ms: number): void;
}

const MIB = 1024 * 1024;
/** Maximum pending bytes; more must be rendered first. */
const MOST_WAITING = 4 * MIB;
/** Fewer bytes are rendered as quickly as they are searched for lines that need not be. */
const WORTH_OMITTING = MIB / 2;
/** More bytes than this since the last slice are likely to scroll away before anything renders them. */
const FLOOD = 64 * 1024;
/** A program silent for this long is not printing a lot. */
const QUIET_MS = 4;
/** The share of time left for reading while a program prints a lot. */
const BUSY = { workMs: 2, pauseMs: 8 } as const;
const IDLE = { workMs: 10, pauseMs: 0 } as const;

const REAL: LazyClock = { now: () => performance.now(), later: (task, ms) => void setTimeout(task, ms) };

/**
 * The same screen, without delaying a program that prints a lot: bytes are queued, and rendered when the screen is requested, when output
 * stops, and in short slices meanwhile, except for lines that have scrolled away by then. A requested screen always includes all bytes.
 */
export function lazyScreen(screen: RenderedScreen, clock: LazyClock = REAL): RenderedScreen {
  const pending = pendingBytes();
  let writtenAt = Number.NEGATIVE_INFINITY;
  let scheduled = false;
  let taken = 0;
  let takenBefore = 0;
  /** The count of bytes at which the next search for lines is worth its time. */
  let searchAt = 0;
  /** Whether the last search found lines that need not be rendered. */
  let scrollsAway = true;

  function renderOne(): void {
    const bytes = pending.shift();
    if (bytes !== null) screen.write(bytes);
  }

  function renderAll(): RenderedScreen {
    if (pending.size() >= WORTH_OMITTING) omit();
    while (pending.size() > 0) renderOne();
    return screen;
  }

  function omit(): void {
    searchAt = taken + MIB;
    const lines = screen.scrolls();
    const kept = lines === null ? null : withoutScrolledAway(pending.all(), lines);
    scrollsAway = kept !== null;
    if (kept !== null) pending.replace(kept);
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
    const floods = taken - takenBefore > FLOOD;
    takenBefore = taken;
    if (pending.size() >= WORTH_OMITTING && taken >= searchAt) omit();
    if (!floods || !scrollsAway) while (pending.size() > 0 && clock.now() - begun < workMs) renderOne();
    if (pending.size() > 0) schedule(pauseMs);
    else scrollsAway = true;
  }

  return {
    write(bytes) {
      if (bytes.length === 0) return;
      const now = clock.now();
      const quiet = now - writtenAt >= QUIET_MS;
      writtenAt = now;
      taken += bytes.length;
      if (quiet && pending.size() === 0) return screen.write(bytes);
      pending.push(bytes);
      if (pending.size() > MOST_WAITING && taken >= searchAt) omit();
      while (pending.size() > MOST_WAITING) renderOne();
      schedule(BUSY.pauseMs);
    },
    resize: (to) => renderAll().resize(to),
    facts: (history) => renderAll().facts(history),
    paint: () => renderAll().paint(),
    framesPastes: () => renderAll().framesPastes(),
    keyModes: () => renderAll().keyModes(),
    scrolls: () => renderAll().scrolls(),
  };
}
