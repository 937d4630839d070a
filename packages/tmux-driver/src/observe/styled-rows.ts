import type { StyledRun } from "@tmpm/core";
import { drawn } from "./line-drawing.js";

export interface StyledRows {
  readonly lines: readonly string[];
  readonly styles: readonly (readonly StyledRun[])[];
}

type Style = Pick<StyledRun, "faint" | "italic" | "reverse" | "colour">;

const PLAIN: Style = { faint: false, italic: false, reverse: false, colour: null };

/** Besides styles, tmux writes links and line drawing marks into a capture with `-e`. */
const ESCAPES = /\u001b\[([\d;:]*)m|\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\)|[\u000e\u000f]/gu;

const SHIFT_OUT = "\u000e";
const SHIFT_IN = "\u000f";

/** Sequences in a styled row. */
const ODD = /[\u001b\u000e\u000f\t]/;

const NO_RUNS: readonly StyledRun[] = Object.freeze([]);

/** Splits rows printed by `capture-pane -e` into text and styled runs. Styles and line drawing continue into the next row. */
export function styledRows(rows: readonly string[]): StyledRows {
  const lines: string[] = [];
  const styles: (readonly StyledRun[])[] = [];
  let style = PLAIN;
  let drawing = false;
  for (const row of rows) {
    if (style === PLAIN && !drawing && !ODD.test(row)) {
      lines.push(row.trimEnd());
      styles.push(NO_RUNS);
      continue;
    }
    const runs: StyledRun[] = [];
    let line = "";
    let at = 0;
    const take = (text: string) => {
      const from = line.length;
      line = expanded(line, drawing ? drawn(text) : text);
      if (line.length > from && style !== PLAIN) runs.push({ from, to: line.length, ...style });
    };
    for (const found of row.matchAll(ESCAPES)) {
      take(row.slice(at, found.index));
      at = found.index + found[0].length;
      if (found[1] !== undefined) style = styleAfter(style, found[1]);
      if (found[0] === SHIFT_OUT || found[0] === SHIFT_IN) drawing = found[0] === SHIFT_OUT;
    }
    take(row.slice(at));
    const trimmed = line.trimEnd();
    lines.push(trimmed);
    styles.push(runs.flatMap((run) => (run.from >= trimmed.length ? [] : [{ ...run, to: Math.min(run.to, trimmed.length) }])));
  }
  return { lines, styles };
}

/** From 3.6 a capture keeps tabs. */
function expanded(line: string, text: string): string {
  if (!text.includes("\t")) return line + text;
  return text.split("\t").reduce((left, right, index) => (index === 0 ? left : left + " ".repeat(8 - (left.length % 8))) + right, line);
}

function styleAfter(before: Style, parameters: string): Style {
  const codes = parameters.split(";");
  let style: Style = before;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? "";
    if (code === "38" || code === "48" || code === "58") {
      const colour = colourOf(codes.slice(i + 1));
      if (code === "38") style = { ...style, colour: colour.name };
      i += colour.length;
    } else style = { ...style, ...changeBy(code) };
  }
  return style.faint || style.italic || style.reverse || style.colour !== null ? style : PLAIN;
}

/** `5;n` is a palette colour, `2;r;g;b` a direct one. */
function colourOf([kind, ...values]: readonly string[]): { readonly name: string | null; readonly length: number } {
  if (kind === "5") return { name: values[0] ?? null, length: 2 };
  const hex = values.slice(0, 3).map((part) => Number(part).toString(16).padStart(2, "0"));
  return { name: `#${hex.join("")}`, length: 4 };
}

function changeBy(code: string): Partial<Style> {
  const number = Number(code);
  if (number >= 30 && number <= 37) return { colour: String(number - 30) };
  if (number >= 90 && number <= 97) return { colour: String(number - 82) };
  switch (code) {
    case "":
    case "0":
      return PLAIN;
    case "2":
      return { faint: true };
    case "3":
      return { italic: true };
    case "7":
      return { reverse: true };
    case "22":
      return { faint: false };
    case "23":
      return { italic: false };
    case "27":
      return { reverse: false };
    case "39":
      return { colour: null };
    default:
      return {};
  }
}
