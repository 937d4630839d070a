import type { Terminal } from "../../src/top/terminal-ui.js";

const nothing = () => undefined;

/** A terminal of 80 columns and 24 rows without output. */
export const terminal: Terminal = {
  start: nothing,
  stop: nothing,
  drainInput: async () => undefined,
  write: nothing,
  columns: 80,
  rows: 24,
  kittyProtocolActive: false,
  moveBy: nothing,
  hideCursor: nothing,
  showCursor: nothing,
  clearLine: nothing,
  clearFromCursor: nothing,
  clearScreen: nothing,
  setTitle: nothing,
  setProgress: nothing,
};
