import type { TUI } from "./terminal-ui.js";

/** Who has the terminal. */
export interface Stage {
  start(): void;
  /** Takes it anew, where it may not be as it was left. */
  anew(): void;
  /** Gives it back for good. */
  close(): void;
  /** Lends it to something else, and takes it back after that; does nothing while it is lent. */
  lend(act: () => Promise<void>): Promise<void>;
}

/** `started` is called whenever the terminal was taken: its size may be another one. */
export function stage(tui: TUI, started: () => void): Stage {
  let [taken, lent, closed] = [false, false, false];
  function start(): void {
    if (closed) return;
    taken = true;
    tui.start();
    started();
    tui.requestRender(true);
  }
  function stop(): void {
    if (taken) tui.stop();
    taken = false;
  }
  return {
    start,
    close() {
      closed = true;
      stop();
    },
    anew() {
      if (!taken) return;
      stop();
      start();
    },
    async lend(act) {
      if (lent) return;
      lent = true;
      stop();
      try {
        await act();
        start();
      } finally {
        lent = false;
      }
    },
  };
}
