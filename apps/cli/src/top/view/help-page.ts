import type { Line } from "../../render/paint.js";
import { SIGN_LEGEND } from "../../render/standing.js";
import { wrapped } from "../../render/wrapped.js";
import { KEYS } from "../keys.js";

const LABEL = 8;

/** All keys, mouse actions and signs. May be longer than the terminal. */
export function helpPage(columns: number): readonly Line[] {
  const keys: readonly Line[] = KEYS.flatMap(({ label, help }) => keyLines(label, { help, columns }));
  const rest: readonly Line[] = [
    ...keyLines("1-9", { help: "answer a question with that choice", columns }),
    ...keyLines("mouse", { help: "a click selects, the wheel moves or scrolls; Shift selects text", columns }),
    ...inLines(SIGN_LEGEND, columns).map((text) => [{ text, tone: "faint" as const }]),
    [{ text: "Up and Down scroll; any other key closes this page.", tone: "faint" }],
  ];
  return [...keys, ...rest];
}

function keyLines(label: string, { help, columns }: { readonly help: string; readonly columns: number }): readonly Line[] {
  const lines = wrapped(help, { cells: Math.max(LABEL, columns - LABEL), hang: 0 });
  return lines.map((text, index) => [{ text: (index === 0 ? label : "").padEnd(LABEL), bold: true }, { text }]);
}

function inLines(words: readonly string[], columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 2 + word.length > columns) lines.push(word);
    else lines.splice(-1, 1, `${last}  ${word}`);
  }
  return lines;
}
