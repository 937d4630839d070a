/** Gemini CLI 0.61.0 turns a paste of three characters and more into `@` mentions when each of its words is an existing file and begins like this. */
const LIKE_A_PATH = /^[\s"'\\]*(?:[/~.]|[a-z]:)/iu;
/** A word that begins in the middle of a name is not taken for a path. */
const IN_A_NAME = /^(?![a-z]:)[^\s"'\\/~.]/iu;
const UNNOTICED = 2;

/** What Gemini CLI takes as it is: the beginning of a path apart, so that no paste begins like one. */
export function piecesOfPaths(typed: string): readonly string[] {
  if (!LIKE_A_PATH.test(typed)) return [typed];
  const characters = [...typed];
  const pieces: string[] = [];
  let from = 0;
  while (from < characters.length) {
    const rest = characters.slice(from).join("");
    if (from > 0 && IN_A_NAME.test(rest)) return [...pieces, rest];
    const [first = "", second = ""] = characters.slice(from, from + 2);
    const piece = (first + second).length <= UNNOTICED ? first + second : first;
    pieces.push(piece);
    from += [...piece].length;
  }
  return pieces;
}
