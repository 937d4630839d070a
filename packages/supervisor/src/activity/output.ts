import { isMeaningfulLine } from "@tmpm/core";

/** What a session's screen said when it was last looked at, and when it said something new. */
export interface Output {
  readonly lines: ReadonlySet<string>;
  /** Milliseconds since 1970; null before anything new was seen. */
  readonly atMs: number | null;
}

/**
 * The output after a look. New is a line that says something and was not there before (swimmers 3.6); a line in which only numbers changed, as clocks and counters do,
 * is not, and neither is what stood there at the first look.
 */
export function outputAfter(previous: Output | undefined, look: { readonly lines: readonly string[]; readonly nowMs: number }): Output {
  const lines = new Set(look.lines.filter(isMeaningfulLine).map(withoutNumbers));
  const isNew = previous !== undefined && [...lines].some((line) => !previous.lines.has(line));
  return { lines, atMs: isNew ? look.nowMs : (previous?.atMs ?? null) };
}

function withoutNumbers(line: string): string {
  return line.trim().replace(/\d+/gu, "0");
}
