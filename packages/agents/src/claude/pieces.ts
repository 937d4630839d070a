/**
 * For a longer paste, or one with more line feeds, Claude Code shows a placeholder, and marks its text in the request to the model
 * (2.1.332).
 */
export const MOST_INLINE = { characters: 700, lineFeeds: 2 };
/** From this length on, typing pieces takes longer than a user would wait. */
const WHOLE = 100_000;

/** Pieces that Claude Code treats as typed. A piece never separates a character from its marks. */
export function inlinePieces(typed: string): readonly string[] {
  if (isInline(typed) || isPastedWhole(typed)) return [typed];
  const pieces: string[] = [];
  let piece = "";
  for (const { segment } of new Intl.Segmenter().segment(typed)) {
    if (piece !== "" && !isInline(piece + segment)) {
      pieces.push(piece);
      piece = "";
    }
    piece += segment;
  }
  return [...pieces, piece];
}

export function isPastedWhole(typed: string): boolean {
  return typed.length > WHOLE;
}

function isInline(text: string): boolean {
  return text.replaceAll("\t", "    ").length <= MOST_INLINE.characters && text.split("\n").length - 1 <= MOST_INLINE.lineFeeds;
}
