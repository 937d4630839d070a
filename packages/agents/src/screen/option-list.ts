import type { Choice, KeyPlan } from "./decision.js";

/** A numbered list to choose from, one option marked. */
export interface OptionList {
  /** Its first and last index among the given rows. */
  readonly first: number;
  readonly last: number;
  readonly options: readonly string[];
  /** The index of the marked option. */
  readonly chosen: number;
}

export interface OptionListShape {
  /** The signs before the marked option; null when only a colour marks it, and the first one is assumed. */
  readonly marker: string | null;
  /** Rows to skip inside the list. */
  readonly skip?: RegExp;
  /** Text under an option continues its label; otherwise it is an explanation. */
  readonly wraps: boolean;
}

interface Option {
  readonly number: number;
  readonly marked: boolean;
  readonly label: string;
  readonly indent: number;
}

/** The last numbered list among the rows: it counts from 1 without a gap and has one marked option; null when there is none. */
export function optionList(rows: readonly string[], shape: OptionListShape): OptionList | null {
  const first = rows.findLastIndex((row) => optionOf(row, shape)?.number === 1);
  if (first < 0) return null;
  const options: Option[] = [];
  const labels: string[] = [];
  let last = first;
  for (const [index, row] of rows.entries()) {
    if (index < first || row.trim() === "" || shape.skip?.test(row)) continue;
    const option = optionOf(row, shape);
    if (option?.number === options.length + 1) {
      options.push(option);
      labels.push(option.label);
    } else if (!isUnder(row, options.at(-1))) break;
    else if (shape.wraps) labels.push(`${labels.pop()} ${row.trim()}`);
    last = index;
  }
  const marked = options.flatMap((option, index) => (option.marked ? [index] : []));
  const [chosen] = shape.marker === null ? [0] : marked;
  return chosen === undefined || marked.length > 1 ? null : { first, last, options: labels, chosen };
}

/** The keys that move from the marked option to another one and take it. */
export function choicesOf({ options, chosen }: Pick<OptionList, "options" | "chosen">): readonly Choice[] {
  return options.map((label, index) => ({ label, keys: stepsTo(index - chosen), takesText: false }));
}

function stepsTo(distance: number): KeyPlan {
  const steps = Array.from({ length: Math.abs(distance) }, () => (distance > 0 ? "Down" : "Up"));
  const [first, ...rest] = [...steps, "Enter"];
  return [first ?? "Enter", ...rest];
}

function optionOf(row: string, { marker }: OptionListShape): Option | null {
  const found = /^(\s*)(\S\s+)?(\d{1,2})\.\s(.*)$/u.exec(row);
  if (found === null) return null;
  const [, blank = "", mark = "", number = "", label = ""] = found;
  if (mark !== "" && !marker?.includes(mark.trim())) return null;
  return { number: Number(number), marked: mark !== "", label: label.trim(), indent: blank.length + mark.length };
}

function isUnder(row: string, option: Option | undefined): boolean {
  return option !== undefined && row.length - row.trimStart().length > option.indent;
}
