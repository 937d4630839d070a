import type { Observation } from "../adapter.js";
import { type OptionList, optionList } from "../screen/option-list.js";
import { blocksFromEnd, isBlank, withoutBlankEnd } from "../screen/rows.js";

/** The input below a rule, followed by the table of workspace and model; in true colour, with edges of half blocks around it. */
export interface Composer {
  readonly kind: "composer";
  /** `*` approves everything, `!` is shell mode. */
  readonly prompt: ">" | "*" | "!";
  /** The text after the prompt, rows joined by LF; without the grey suggestion. */
  readonly text: string;
  /** From the line of shortcuts down to the input: Gemini's current activity. */
  readonly status: readonly string[];
  /** The blocks of the conversation, the nearest first. */
  readonly above: readonly (readonly string[])[];
  readonly holdsCursor: boolean;
}

/** A framed box, the last thing on the screen. */
export interface Dialog {
  readonly kind: "dialog";
  /** The rows inside the frame, including an inner frame. */
  readonly rows: readonly string[];
  readonly list: OptionList | null;
  /** The upper edge of the frame is visible. */
  readonly whole: boolean;
}

export type Layout = Composer | Dialog | { readonly kind: "blank" } | { readonly kind: "other"; readonly rows: readonly string[] };

/** Divides the visible rows: only the last block is Gemini's current state, everything above it is history. */
export function layoutOf(screen: Observation): Layout {
  const rows = withoutBlankEnd(screen.lines);
  if (rows.length === 0) return { kind: "blank" };
  return composerOf(rows, screen) ?? dialogOf(rows) ?? { kind: "other", rows };
}

/** Sent prompts look like the input, but have no rule above them and no table below. */
function composerOf(rows: readonly string[], { columns, cursor }: Observation): Composer | null {
  const rule = rows.findLastIndex((row) => isEdge(row, { edge: "─", columns }));
  const top = rows.findIndex((row, index) => index > rule && /^\s[>*!](?:\s|$)/u.test(row));
  if (rule < 1 || top < 0) return null;
  const end = inputEnd(rows, top);
  const inside = withoutBlankEnd(rows.slice(top, end)).map((row) => row.slice(3));
  const prompt = rows[top]?.charAt(1);
  if (!isTable(rows.slice(end).filter((row) => !isEdge(row, { edge: "▀", columns })))) return null;
  return {
    kind: "composer",
    prompt: prompt === "*" || prompt === "!" ? prompt : ">",
    text: isProposal(inside) ? "" : inside.join("\n").trimEnd(),
    status: rows.slice(rule - 1, top),
    above: blocksFromEnd(rows.slice(0, rule - 1)),
    holdsCursor: cursor.row >= top && cursor.row < end,
  };
}

/** Further rows of the input are indented below its prompt. In a terminal without true colour no edge follows it. */
function inputEnd(rows: readonly string[], top: number): number {
  const end = rows.findIndex((row, index) => index > top && !isBlank(row) && !/^\s{3}/u.test(row));
  return end < 0 ? rows.length : end;
}

/** The suggestion is two columns further right than typed text. */
function isProposal(inside: readonly string[]): boolean {
  return inside.length === 1 && /^\s{2}\S/u.test(inside[0] ?? "");
}

function dialogOf(rows: readonly string[]): Dialog | null {
  const bottom = rows.length - 1;
  const edge = /^(\s?)╰─+╯$/u.exec(rows[bottom] ?? "");
  if (edge === null) return null;
  const margin = edge[1] ?? "";
  const top = rows.slice(0, bottom).findLastIndex((row) => !row.startsWith(`${margin}│`));
  const framed = rows.slice(top + 1, bottom);
  const inside = framed.map((row) =>
    row
      .slice(margin.length + 1)
      .replace(/│$/u, "")
      .trimEnd(),
  );
  return {
    kind: "dialog",
    rows: inside,
    list: optionList(inside, { marker: "●", wraps: true }),
    whole: rows[top]?.startsWith(`${margin}╭`) === true,
  };
}

function isTable(rows: readonly string[]): boolean {
  return rows.length > 0 && rows.length <= 3 && rows.every((row) => /^\s\S/u.test(row));
}

/** Gemini draws its edges over the whole width; no output of an agent is in the first column. */
function isEdge(row: string, { edge, columns }: { readonly edge: string; readonly columns: number }): boolean {
  return row.length >= columns - 2 && [...row].every((character) => character === edge);
}
