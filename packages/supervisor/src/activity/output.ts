import { isMeaningfulLine } from "@tmpm/core";

/** The text of a session's screen at the last look, and when it was last new. */
export interface Output {
  readonly lines: ReadonlySet<string>;
  /** Milliseconds since 1970; null before any new text. */
  readonly atMs: number | null;
}

/**
 * The output after a look. A meaningful line that was not there before is new (swimmers 3.6), except one with only other numbers, as from
 * clocks and counters, and except at the first look.
 */
export function outputAfter(previous: Output | undefined, look: { readonly lines: readonly string[]; readonly nowMs: number }): Output {
  const lines = new Set(look.lines.filter(isMeaningfulLine).map(withoutNumbers));
  const isNew = previous !== undefined && [...lines].some((line) => !previous.lines.has(line));
  return { lines, atMs: isNew ? look.nowMs : (previous?.atMs ?? null) };
}

function withoutNumbers(line: string): string {
  return line.trim().replace(/\d+/gu, "0");
}
