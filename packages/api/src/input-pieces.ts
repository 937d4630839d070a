/** Largest text of one command of a stream, in UTF-16 code units. Larger texts require `send`. */
export const MOST_INPUT = 65_536;

const HIGH_SURROGATE = /[\ud800-\udbff]$/;

/** A text in pieces of at most `most` code units; no character is split. */
export function inputPieces(text: string, most = MOST_INPUT): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const piece = text.slice(at, at + most);
    const isCut = at + most < text.length && piece.length > 1 && HIGH_SURROGATE.test(piece);
    pieces.push(isCut ? piece.slice(0, -1) : piece);
    at += pieces.at(-1)?.length ?? 0;
  }
  return pieces;
}
