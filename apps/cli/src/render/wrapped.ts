import { cellWidth, graphemes } from "./cell-width.js";

export interface Wrapping {
  /** Line width, in cells. */
  readonly cells: number;
  /** Indentation of further lines, in cells. */
  readonly hang: number;
}

/**
 * Wraps a line to the width: between words, and between wide characters, which have no spaces. Text in backquotes is kept
 * together if it fits, and a word wider than a line is not broken.
 */
export function wrapped(line: string, { cells, hang }: Wrapping): readonly string[] {
  if (cellWidth(line) <= cells) return [line];
  const [indent = ""] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  let [now, begun] = [indent, false];
  for (const { text, gap } of pieces(line.slice(indent.length), cells - hang)) {
    if (begun && cellWidth(now + gap + text) > cells) {
      lines.push(now.trimEnd());
      [now, begun] = [" ".repeat(hang), false];
    }
    now += begun ? gap + text : text;
    begun = true;
  }
  return [...lines, now.trimEnd()];
}

interface Piece {
  readonly text: string;
  /** Space before it, unless it begins a line. */
  readonly gap: string;
}

function pieces(text: string, room: number): readonly Piece[] {
  return Array.from(text.matchAll(/( *)((?:`[^`]*`|[^ ])+)/g)).flatMap(([, gap = "", word = ""]) =>
    cellWidth(word) <= room ? broken(word, gap) : words(word, gap),
  );
}

function words(text: string, first: string): readonly Piece[] {
  return Array.from(text.matchAll(/( *)([^ ]+)/g)).flatMap(([, gap = "", word = ""], index) => broken(word, index === 0 ? first : gap));
}

/** A word, or its wide characters one by one. */
function broken(word: string, gap: string): readonly Piece[] {
  if (cellWidth(word) === word.length) return [{ text: word, gap }];
  const parts: string[] = [];
  let open = false;
  for (const grapheme of graphemes(word)) {
    const wide = cellWidth(grapheme) > 1;
    if (open && !wide) parts[parts.length - 1] += grapheme;
    else parts.push(grapheme);
    open = !wide;
  }
  return parts.map((text, index) => ({ text, gap: index === 0 ? gap : "" }));
}
