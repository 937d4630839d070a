/** The characters that a terminal shows for `\`` to `~` in DEC's special graphics set. */
const DRAWN = [..."◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"];
const FIRST = 0x60;
const SHIFT_OUT = "\u000e";

/** Replaces the letters of line drawing. */
export function drawn(letters: string): string {
  return letters.replace(/[`-~]/g, (letter) => DRAWN[letter.charCodeAt(0) - FIRST] ?? letter);
}

/** A capture with `-e` as Unicode text: tmux writes line drawing as letters between SO and SI, across the ends of lines. */
export function withDrawnLines(captured: string): string {
  if (!captured.includes(SHIFT_OUT)) return captured;
  return captured.replace(/\u000e([^\u000f]*)\u000f?/g, (_, inside: string) => drawnBetween(inside));
}

/** Its escape sequences stay. */
function drawnBetween(text: string): string {
  return text.replace(/\u001b\[[\d;:]*m|\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\)|[^\u001b]+/g, (part) =>
    part.startsWith("\u001b") ? part : drawn(part),
  );
}
