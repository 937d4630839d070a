import type { Observation } from "../adapter.js";
import { type OptionList, optionList } from "../option-list.js";
import { blocksFromEnd, isBlank, withoutBlankEnd } from "../rows.js";

/** The input between a row of lower and one of upper half blocks, followed by the table of workspace and model. */
export interface Composer {
  readonly kind: "composer";
  /** `*` approves everything by itself, `!` is shell mode. */
  readonly prompt: ">" | "*" | "!";
  /** What stands after the prompt, rows joined by LF; the grey proposal is none. */
  readonly text: string;
  /** From the line of shortcuts down to the input: what Gemini does now. */
  readonly status: readonly string[];
  /** The blocks of the conversation, the nearest first. */
  readonly above: readonly (readonly string[])[];
  readonly holdsCursor: boolean;
}

/** A framed box, the last thing on the screen. */
export interface Dialog {
  readonly kind: "dialog";
  /** What stands inside the frame; an inner frame is left in place. */
  readonly rows: readonly string[];
  readonly list: OptionList | null;
  /** The upper edge of the frame shows. */
  readonly whole: boolean;
}

export type Layout = Composer | Dialog | { readonly kind: "blank" } | { readonly kind: "other"; readonly rows: readonly string[] };

/** Divides the visible rows: only the last block says what Gemini shows now, everything above it is history. */
export function layoutOf(screen: Observation): Layout {
  const rows = withoutBlankEnd(screen.lines);
  if (rows.length === 0) return { kind: "blank" };
  return composerOf(rows, screen) ?? dialogOf(rows) ?? { kind: "other", rows };
}

/** Sent prompts look like the input, but no table follows them. */
function composerOf(rows: readonly string[], { columns, cursor }: Observation): Composer | null {
  const bottom = rows.findLastIndex((row) => isEdge(row, { edge: "▀", columns }));
  const top = rows.slice(0, Math.max(0, bottom)).findLastIndex((row) => isEdge(row, { edge: "▄", columns }));
  const first = /^\s([>*!])(?:\s(.*))?$/u.exec(rows[top + 1] ?? "");
  if (top < 0 || bottom - top < 2 || first === null || !isTable(rows.slice(bottom + 1))) return null;
  const inside = [first[2] ?? "", ...rows.slice(top + 2, bottom).map((row) => row.slice(3))];
  const rule = rows.slice(0, top).findLastIndex((row) => isEdge(row, { edge: "─", columns }));
  const begin = rule < 0 ? top : rule - 1;
  return {
    kind: "composer",
    prompt: first[1] === "*" ? "*" : first[1] === "!" ? "!" : ">",
    text: isProposal(inside) ? "" : inside.join("\n").trimEnd(),
    status: rows.slice(Math.max(0, begin), top),
    above: blocksFromEnd(rows.slice(0, Math.max(0, begin))),
    holdsCursor: cursor.row > top && cursor.row < bottom,
  };
}

/** The proposal stands two columns further to the right than what is typed. */
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
  return rows.length > 0 && rows.length <= 3 && rows.every((row) => /^\s\S/u.test(row) || isBlank(row));
}

/** Gemini draws its edges over the whole width; nothing that an agent prints stands in the first column. */
function isEdge(row: string, { edge, columns }: { readonly edge: string; readonly columns: number }): boolean {
  return row.length >= columns - 2 && [...row].every((character) => character === edge);
}
