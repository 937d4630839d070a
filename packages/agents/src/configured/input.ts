import type { Observation, StyledRun } from "../adapter.js";
import { isGrey } from "../screen/grey.js";
import { withoutBlankEnd } from "../screen/rows.js";
import type { InputConfig } from "./input-config.js";

/** The input on a screen. */
export interface ShownInput {
  /** The typed text, rows joined by LF. */
  readonly text: string;
  /** The index of the row above it if that belongs to the input, else of its first row. */
  readonly edge: number;
  /** The index of its first row, and of the row after its last one. */
  readonly from: number;
  readonly to: number;
}

export type FindInput = (screen: Observation) => ShownInput | null;

/** Finds a described input; null when the screen shows none. */
export function inputFinder(config: InputConfig | string | null): FindInput {
  if (config === null) return () => null;
  if (typeof config === "string") return rowOfCursor(new RegExp(config, "u"));
  const first = new RegExp(config.first, "du");
  const more = config.more === null ? null : new RegExp(config.more, "du");
  const above = config.above === null ? null : new RegExp(config.above, "u");
  const below = config.below === null ? null : new RegExp(config.below, "u");
  const footer = config.footer === null ? null : new RegExp(config.footer, "u");
  const typed = typedIn(config);
  return (screen) => {
    const rows = withoutBlankEnd(screen.lines);
    for (let from = rows.length - 1; from >= 0; from--) {
      if (!first.test(rows[from] ?? "") || above?.test(rows[from - 1] ?? "") === false) continue;
      const to = endOf(rows, { from, more, below });
      if (to === null || (footer !== null && !rows.slice(to).some((row) => footer.test(row)))) continue;
      const texts = Array.from({ length: to - from }, (_, index) =>
        typed(screen, { row: from + index, pattern: index === 0 ? first : (more ?? first) }),
      );
      return { text: withoutCursor(texts), edge: above === null ? from : from - 1, from, to };
    }
    return null;
  };
}

/** Only the row with the cursor. */
function rowOfCursor(pattern: RegExp): FindInput {
  return ({ lines, cursor }) => {
    const text = pattern.exec(lines[cursor.row] ?? "")?.[1];
    return text === undefined ? null : { text, edge: cursor.row, from: cursor.row, to: cursor.row + 1 };
  };
}

interface Bounds {
  readonly from: number;
  readonly more: RegExp | null;
  readonly below: RegExp | null;
}

function endOf(rows: readonly string[], { from, more, below }: Bounds): number | null {
  let to = from + 1;
  while (to < rows.length && below?.test(rows[to] ?? "") !== true && more?.test(rows[to] ?? "") === true) to++;
  return below === null || (to < rows.length && below.test(rows[to] ?? "")) ? to : null;
}

interface Piece {
  readonly text: string;
  /** A suggestion was removed from the row. */
  readonly suggests: boolean;
  /** Only one cell is left, drawn reversed: the agent's own cursor. */
  readonly cursor: boolean;
}

/** The typed text of a row: without cells in the style of suggestions. */
function typedIn({ suggestion }: InputConfig): (screen: Observation, at: { readonly row: number; readonly pattern: RegExp }) => Piece {
  const muted = ({ faint, italic, colour }: StyledRun) =>
    (suggestion.includes("faint") && faint) || (suggestion.includes("italic") && italic) || (suggestion.includes("grey") && isGrey(colour));
  return ({ lines, styles }, { row, pattern }) => {
    const line = lines[row] ?? "";
    const [from, to] = pattern.exec(line)?.indices?.[1] ?? [0, 0];
    const runs = suggestion.length === 0 ? [] : (styles?.[row] ?? []);
    const hidden = runs.filter(muted);
    const kept = [...cut(line, { from, to, without: hidden })].join("");
    const reversed = runs.some(
      (run) => run.reverse && run.from < to && run.to > from && line.slice(run.from, run.to).trim() === kept.trim(),
    );
    return {
      text: kept.trimEnd(),
      suggests: hidden.some((run) => run.from < to && run.to > from),
      cursor: reversed && [...kept.trim()].length <= 1,
    };
  };
}

function* cut(line: string, { from, to, without }: { readonly from: number; readonly to: number; readonly without: readonly StyledRun[] }) {
  let at = from;
  for (const run of without) {
    if (run.to <= at || run.from >= to) continue;
    yield line.slice(at, Math.max(at, run.from));
    at = Math.min(to, run.to);
  }
  yield line.slice(at, to);
}

/** A suggestion's first character may be drawn as the agent's own cursor. */
function withoutCursor(pieces: readonly Piece[]): string {
  const [only, ...others] = pieces;
  if (only?.suggests === true && only.cursor && others.length === 0) return "";
  return pieces
    .map(({ text }) => text)
    .join("\n")
    .trimEnd();
}
