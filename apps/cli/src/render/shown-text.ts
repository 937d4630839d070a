import { cellWidth } from "./cell-width.js";
import type { TerminalView } from "./terminal-view.js";
import { wrapped } from "./wrapped.js";

const PAINTED = /\u001b\[[\d;]*m/;
/** What is said as well without it. */
const PLAIN: Readonly<Record<string, string>> = {
  "…": "~",
  "–": "-",
  "—": "-",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "·": "-",
  "→": ">",
};

/** Only characters of the terminal's locale. */
export function plainText(text: string, { unicode }: Pick<TerminalView, "unicode">): string {
  return unicode ? text : text.replace(/[^\u0000-\u007e]/gu, (character) => PLAIN[character] ?? "?");
}

export interface Showing {
  readonly terminal: TerminalView;
  /** Cells by which what does not fit a line is indented below it; a line that is indented itself keeps that, with two more. Null breaks no line. */
  readonly hang: number | null;
}

/** Text of any length in lines that fit the terminal; what is painted is taken to fit. */
export function shownText(text: string, { terminal, hang }: Showing): string {
  const { columns } = terminal;
  if (columns === null) return text;
  const plain = plainText(text, terminal);
  if (hang === null) return plain;
  return plain
    .split("\n")
    .flatMap((line) => {
      if (PAINTED.test(line) || cellWidth(line) <= columns) return [line];
      const indent = line.length - line.trimStart().length;
      return wrapped(line, { cells: columns, hang: Math.min(Math.max(hang, indent + 2), Math.floor(columns / 2)) });
    })
    .join("\n");
}
