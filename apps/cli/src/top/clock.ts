import type { TopState } from "./state.js";

const SOON_MS = 1_000;
const LATER_MS = 15_000;
/** Ages below this are shown in seconds. */
const IN_SECONDS_MS = 60_000;

export interface Clock {
  /** Sets the next tick, depending on the shown ages. */
  wind(state: TopState): void;
  stop(): void;
}

/** Ages advance even without events. */
export function clock(tick: () => void): Clock {
  let next: NodeJS.Timeout | undefined;
  return {
    wind({ sessions, now }) {
      clearTimeout(next);
      const soon = [...sessions.values()].some(({ activity }) => now - Date.parse(activity.since) < IN_SECONDS_MS);
      next = setTimeout(tick, soon ? SOON_MS : LATER_MS);
    },
    stop: () => clearTimeout(next),
  };
}
