import { isatty } from "node:tty";

/** Cells in a line of the terminal on standard output; null when that is none. */
export function terminalColumns(): number | null {
  return isatty(1) ? process.stdout.columns || 80 : null;
}
