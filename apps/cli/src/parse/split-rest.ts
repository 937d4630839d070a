import type { Shape } from "../command.js";

export interface SplitLine {
  readonly own: readonly string[];
  /** Everything after `--`, untouched. */
  readonly rest: readonly string[];
}

/** Only for commands that take a rest; for all others, `--` ends the options. */
export function splitRest(words: readonly string[], shape: Shape | undefined): SplitLine {
  const end = words.indexOf("--");
  if (end < 0 || shape === undefined || !takesRest(shape)) return { own: words, rest: [] };
  return { own: words.slice(0, end), rest: words.slice(end + 1) };
}

function takesRest({ args }: Shape): boolean {
  return Object.values(args).some(({ takes }) => takes === "rest");
}
