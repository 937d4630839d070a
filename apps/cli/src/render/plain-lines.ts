import { visibleText } from "@tmpm/core";

/** A program's output lines, without terminal sequences. */
export interface PlainLines {
  /** The lines completed so far. */
  take(bytes: Uint8Array): readonly string[];
  /** The text since the last line feed. */
  rest(): string;
}

/** Maximum length: longer lines are broken, and longer sequences are treated as text. */
const MOST_LINE = 64 * 1024;

const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-OQ-WYZ\\`-~])/g;
const UNFINISHED = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?|[ -/]*)?$/;

/** Parses bytes in chunks, which may end within a character or a sequence. */
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

/** An overwritten line, such as a progress bar, keeps its final text. */
function lineOf(text: string): string {
  const line = text.replace(/\r+$/, "");
  return visibleText(line.slice(line.lastIndexOf("\r") + 1));
}
