import type { View } from "../context.js";
import { type Cell, cellText, cellTone, keepsEnd } from "./cell.js";
import { cellWidth, cutFrom, cutTo, isPlain } from "./cell-width.js";
import { oneLine } from "./one-line.js";
import { paint } from "./paint.js";
import { plainText } from "./shown-text.js";
import { NO_TERMINAL, type TerminalView } from "./terminal-view.js";

export interface Table {
  /** The header line; omitted by default. */
  readonly head?: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Columns to omit in a narrow terminal, least important first. The first column is hardly shortened before all of them are omitted. */
  readonly spare?: readonly number[];
  /** Minimum width of the last column while another can be omitted. */
  readonly room?: number;
}

const GAP = 2;
/** Minimum width of a column while another can be shortened or omitted. */
const LEAST = 12;
const LEAST_OF_FIRST = 20;

/** Aligned lines that fit the terminal; in a pipe or a file nothing is truncated. */
export function table({ head, rows, spare = [], room = LEAST }: Table, { terminal = NO_TERMINAL }: Pick<View, "terminal">): string {
  const all = head === undefined ? rows : [head, ...rows];
  const lines = all.map((row) => row.map((cell) => laid(cell, terminal)));
  const natural = (all[0] ?? []).map((_, column) => lines.reduce((most, line) => Math.max(most, line[column]?.width ?? 0), 0));
  const widths = terminal.columns === null ? natural : fitted(natural, { into: terminal.columns, spare, room });
  const shown = natural.flatMap((_, column) => (widths[column] === 0 && natural[column] !== 0 ? [] : [column]));
  return lines.map((line) => lineOf(line, { shown, widths, terminal })).join("\n");
}

/** A cell as it is printed, with its width in terminal cells. */
interface Laid {
  readonly cell: Cell;
  readonly text: string;
  readonly width: number;
}

function laid(cell: Cell, terminal: TerminalView): Laid {
  const given = cellText(cell);
  // Most texts are printed as they are.
  if (isPlain(given)) return { cell, text: given, width: given.length };
  const text = plainText(oneLine(given), terminal);
  return { cell, text, width: cellWidth(text) };
}

interface Laying {
  readonly shown: readonly number[];
  readonly widths: readonly number[];
  readonly terminal: TerminalView;
}

function lineOf(line: readonly Laid[], { shown, widths, terminal }: Laying): string {
  const last = shown.findLastIndex((column) => line[column] !== undefined && line[column].text.trim() !== "");
  let written = "";
  let filling = 0;
  for (const column of shown.slice(0, last + 1)) {
    const cell = line[column];
    if (cell === undefined) continue;
    const cut = shortened(cell, { cells: widths[column] ?? 0, mark: terminal.unicode ? "…" : "~" });
    const text = terminal.colour ? paint([{ text: cut.text, tone: cellTone(cell.cell) }], terminal) : cut.text;
    written += " ".repeat(filling) + text;
    filling = (widths[column] ?? 0) - cut.width + GAP;
  }
  return written;
}

function shortened(laid: Laid, to: { readonly cells: number; readonly mark: string }): Pick<Laid, "text" | "width"> {
  if (laid.width <= to.cells) return laid;
  const text = (keepsEnd(laid.cell) ? cutFrom : cutTo)(laid.text, to);
  return { text, width: cellWidth(text) };
}

interface Room {
  readonly into: number;
  readonly spare: readonly number[];
  readonly room: number;
}

/** The width of each column; 0 for an omitted one. */
function fitted(natural: readonly number[], { into, spare, room }: Room): readonly number[] {
  const last = natural.length - 1;
  const text = shrunk(natural, { into, least: (column) => (column === last ? room : column === 0 ? LEAST_OF_FIRST : LEAST) });
  if (total(text) <= into) return text;
  const [left, ...others] = spare;
  if (left !== undefined) return fitted(natural.with(left, 0), { into, spare: others, room });
  const most = shrunk(natural, { into, least: (column) => (column === 0 ? LEAST_OF_FIRST : LEAST) });
  const all = shrunk(most, { into, least: () => LEAST / 2 });
  return shrunk(all, { into, least: () => 1 });
}

/** Shrinks the widest column that may be narrower. */
function shrunk(widths: readonly number[], { into, least }: { readonly into: number; readonly least: (column: number) => number }) {
  const now = [...widths];
  for (let over = total(now) - into; over > 0; over--) {
    const free = now.map((width, column) => (width > least(column) ? width : 0));
    const widest = free.indexOf(Math.max(...free));
    if (free[widest] === 0) break;
    now[widest] = (now[widest] ?? 0) - 1;
  }
  return now;
}

function total(widths: readonly number[]): number {
  const shown = widths.filter((width) => width > 0);
  return shown.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, shown.length - 1);
}
