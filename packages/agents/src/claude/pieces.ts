/** Of a longer paste, or one of more line feeds, Claude Code shows a placeholder, and puts its text between marks on the way to the model (2.1.332). */
export const MOST_INLINE = { characters: 700, lineFeeds: 2 };
/** From here on the pieces take longer to type than a person would wait for. */
const WHOLE = 100_000;

/** What Claude Code takes as if it had been typed. A piece ends where no character is torn from its marks. */
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
