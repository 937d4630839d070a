import { isatty } from "node:tty";

/** Cells in a line of the terminal on standard output or standard error; null without one. */
export function terminalColumns(fd: 1 | 2): number | null {
  if (!isatty(fd)) return null;
  return (fd === 1 ? process.stdout : process.stderr).columns || 80;
}
