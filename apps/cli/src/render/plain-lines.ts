import { visibleText } from "@tmpm/core";

/** The lines that a program prints, without what only a terminal understands. */
export interface PlainLines {
  /** The lines that are complete now. */
  take(bytes: Uint8Array): readonly string[];
  /** What came since the last line end; empty when nothing did. */
  rest(): string;
}

/** Longer lines are broken, and longer sequences are not sequences. */
const MOST_LINE = 64 * 1024;

const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-OQ-WYZ\\`-~])/g;
const UNFINISHED = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?|[ -/]*)?$/;

/** Follows bytes that come in pieces, which may end within a character or a sequence. */
export function plainLines(): PlainLines {
  const decoder = new TextDecoder();
  let open = "";
  return {
    take(bytes) {
      open += decoder.decode(bytes, { stream: true });
      const unfinished = UNFINISHED.exec(open)?.[0] ?? "";
      const held = unfinished.length < MOST_LINE ? unfinished : "";
      const lines = open
        .slice(0, open.length - held.length)
        .replace(SEQUENCE, "")
        .split("\n");
      const last = lines.pop() ?? "";
      if (last.length > MOST_LINE) lines.push(last);
      open = (last.length > MOST_LINE ? "" : last) + held;
      return lines.map(lineOf);
    },
    rest: () => lineOf(open.replace(SEQUENCE, "")),
  };
}

/** A line that was written over, as a progress bar is, is what it was at last. */
function lineOf(text: string): string {
  const line = text.replace(/\r+$/, "");
  return visibleText(line.slice(line.lastIndexOf("\r") + 1));
}
