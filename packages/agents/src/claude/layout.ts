import type { Observation } from "../adapter.js";
import { blocksFromEnd, withoutBlankEnd } from "../screen/rows.js";

/** The input between two rules, the last thing on Claude's screen except its footer. */
export interface Composer {
  readonly kind: "composer";
  /** `!` is shell mode. */
  readonly prompt: "❯" | "!";
  /** The text after the prompt, rows joined by LF; without a grey suggestion. */
  readonly text: string;
  readonly footer: readonly string[];
  /** The blocks above it, the nearest first. */
  readonly above: readonly (readonly string[])[];
  /** The cursor is in the input. */
  readonly holdsCursor: boolean;
}

/** A list of options at the end of the screen, with the cursor on the chosen one. */
export interface Dialog {
  readonly kind: "dialog";
  /** The first line, which names it. */
  readonly heading: string;
  /** The text above the rule that begins `rows`. */
  readonly before: readonly string[];
  readonly rows: readonly string[];
  /** The cursor is on a chosen option. */
  readonly choosing: boolean;
  /** Its beginning is visible: the rule that Claude draws above it, or the frame of the set-up. */
  readonly whole: boolean;
  /** The last line or two, joined: the accepted keys. */
  readonly keys: string;
}

export type Layout = Composer | Dialog | { readonly kind: "blank" } | { readonly kind: "other"; readonly rows: readonly string[] };

const CHOSEN = /^\s{0,4}❯\s/u;
const KEYS = /^(?:Press Enter to continue|Enter to [a-z]+|Esc to cancel)/u;

/** Divides the visible rows: only the last block is Claude's current state, everything above it is history. */
export function layoutOf(screen: Observation): Layout {
  const rows = withoutBlankEnd(screen.lines);
  if (rows.length === 0) return { kind: "blank" };
  return composerOf(rows, screen) ?? dialogOf(rows, screen) ?? { kind: "other", rows };
}

function composerOf(rows: readonly string[], { columns, cursor }: Observation): Composer | null {
  const bottom = rows.findLastIndex((row) => isRule(row, columns) || isScrolled(row, columns));
  const top = rows.slice(0, Math.max(0, bottom)).findLastIndex((row) => isRule(row, columns) || isTitled(row, columns));
  if (top < 0 || bottom - top < 2) return null;
  const first = isScrolled(rows[top] ?? "", columns) ? [] : /^([❯!])(?:\s(.*))?$/u.exec(rows[top + 1] ?? "");
  if (first === null) return null;
  const begun = first.length === 0 ? [] : [first[2] ?? ""];
  const more = rows.slice(top + 1 + begun.length, bottom);
  const footer = rows.slice(bottom + 1);
  if (!more.every(isIndented) || !isFooter(footer, begun[0] ?? "")) return null;
  const text = [...begun, ...more.map((row) => row.slice(2))].join("\n").trimEnd();
  // The cursor is after the typed text, and before Claude's grey suggestion.
  const isSuggestion = text !== "" && cursor.row === top + 1 && cursor.column <= 2;
  return {
    kind: "composer",
    prompt: first[1] === "!" ? "!" : "❯",
    text: isSuggestion ? "" : text,
    footer,
    above: blocksFromEnd(rows.slice(0, top)),
    holdsCursor: cursor.row > top && cursor.row < bottom,
  };
}

function dialogOf(all: readonly string[], { columns, cursor }: Observation): Dialog | null {
  const ending = all.slice(-2).map((row) => row.trim());
  const choosing = CHOSEN.test(all[cursor.row] ?? "");
  if (!choosing && !ending.some((row) => KEYS.test(row))) return null;
  const rule = all.findLastIndex((row) => isRule(row, columns) || isEdge(row, columns));
  const rows = all.slice(rule + 1);
  return {
    kind: "dialog",
    heading: rows.find((row) => row.trim() !== "")?.trim() ?? "",
    before: all.slice(0, Math.max(0, rule)),
    rows,
    choosing,
    whole: rule >= 0 || /^Welcome to Claude Code/u.test(rows[0] ?? ""),
    keys: ending.join(" ").trim(),
  };
}

/** Claude draws its rules over the whole width, from the first column; no output of an agent begins there. */
function isRule(row: string, columns: number): boolean {
  return /^─+$/u.test(row) && row.length >= columns - 2;
}

/** A long text is scrolled in its input, and the edge counts the hidden rows (2.1.332). */
function isScrolled(row: string, columns: number): boolean {
  return /^─+ [↑↓] \d+ more ─+$/u.test(row) && row.length >= columns - 2;
}

/** The upper rule of the input names a conversation that was branched or renamed, and counts hidden rows (2.1.332). Wide characters make it shorter. */
function isTitled(row: string, columns: number): boolean {
  return /^─+ \S(?:.*\S)? ─+$/u.test(row) && row.length >= columns / 2;
}

/** Above the dialogs of its own commands Claude draws an edge instead. */
function isEdge(row: string, columns: number): boolean {
  return /^▔+$/u.test(row) && row.length >= columns - 2;
}

function isIndented(row: string): boolean {
  return row.trim() === "" || /^\s\s/u.test(row);
}

/** Indented lines are below the input, or the menu opened by `/` or `@`. A shell prompt below means that Claude has ended. */
function isFooter(rows: readonly string[], input: string): boolean {
  const menu = /^[/@]/u.test(input) ? /^(?:\/|\+ |\* )/u : null;
  return rows.every((row) => isIndented(row) || menu?.test(row) === true);
}
