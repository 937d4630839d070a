import { cellWidth } from "./cell-width.js";
import type { TerminalView } from "./terminal-view.js";
import { wrapped } from "./wrapped.js";

const PAINTED = /\u001b\[[\d;]*m/;
/** ASCII replacements of typographic characters. */
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

/** Replaces characters outside the terminal's locale. */
export function plainText(text: string, { unicode }: Pick<TerminalView, "unicode">): string {
  return unicode ? text : text.replace(/[^\u0000-\u007e]/gu, (character) => PLAIN[character] ?? "?");
}

export interface Showing {
  readonly terminal: TerminalView;
  /** Indentation of continuation lines, in cells; an already indented line keeps its own indentation plus two. Null disables wrapping. */
  readonly hang: number | null;
}

/** Text of any length in lines that fit the terminal; painted lines are assumed to fit. */
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
