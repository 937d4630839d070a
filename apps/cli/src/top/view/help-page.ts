import type { Line } from "../../render/paint.js";
import { SIGN_LEGEND } from "../../render/standing.js";
import { KEYS } from "../keys.js";

const LABEL = 8;

/** What every key does, what the mouse does, and what the signs mean. It may be longer than a terminal. */
export function helpPage(columns: number): readonly Line[] {
  const keys: readonly Line[] = KEYS.map(({ label, help }) => [{ text: label.padEnd(LABEL), bold: true }, { text: help }]);
  const rest: readonly Line[] = [
    [{ text: "1-9".padEnd(LABEL), bold: true }, { text: "answer a question with that choice" }],
    [{ text: "mouse".padEnd(LABEL), bold: true }, { text: "a press selects, the wheel moves or scrolls; Shift marks text" }],
    ...wrapped(SIGN_LEGEND, columns).map((text) => [{ text, tone: "faint" as const }]),
    [{ text: "Up and Down scroll; any other key leaves this page.", tone: "faint" }],
  ];
  return [...keys, ...rest];
}

function wrapped(words: readonly string[], columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 2 + word.length > columns) lines.push(word);
    else lines.splice(-1, 1, `${last}  ${word}`);
  }
  return lines;
}
