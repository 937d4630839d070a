/** The start of a path, up to its first name. */
const PATH_START = /^[\s"'\\]*(?:[/~.]|[a-z]:)(?:[\s"'\\/~.]|[a-z]:)*/iu;

/** Gemini CLI 0.61.0 turns a paste into `@` mentions when each of its words starts like a path and is an existing file, so the start is a piece of its own. */
export function piecesOfPaths(typed: string): readonly string[] {
  const start = PATH_START.exec(typed)?.[0] ?? "";
  return start === "" || start === typed ? [typed] : [start, typed.slice(start.length)];
}
