import type { TUI } from "./terminal-ui.js";

/** Ownership of the terminal. */
export interface Stage {
  start(): void;
  /** Takes it again after it may have been changed. */
  anew(): void;
  /** Releases it permanently. */
  close(): void;
  /** Lends it to a function and retakes it afterwards; does nothing while lent. */
  lend(act: () => Promise<void>): Promise<void>;
}

/** `started` is called whenever the terminal is taken: its size may have changed. */
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
