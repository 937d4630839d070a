/** 1 in the default run, 10 for the full counts. */
export const SCALE = Number(process.env.TMPM_TEST_SCALE ?? "1");
export const SEED = Number(process.env.TMPM_TEST_SEED ?? "1");

/** The same numbers for the same seed: an integer from 0 to below `below`. */
export type Chance = (below: number) => number;

export function chanceOf(salt: number): Chance {
  let state = (SEED ^ Math.imul(salt + 1, 0x9e3779b9)) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const WORDS = [
  "fix",
  "it;",
  "-R",
  "--",
  "#{pid}",
  "$(date)",
  "'a'",
  '"b"',
  "\\",
  "é",
  "漢字",
  "🙂",
  "naïve",
  "100 %",
  "`ls`",
  "!!",
  "\t",
  "~",
  "{}",
  "日本",
];
const SIZES = [1, 3, 20, 80, 400, 3_000, 20_000];
const FORBIDDEN = ["\u0000", "\u0003", "\u001b[201~\r", "\u0007", "\u009b", "\u007f", "\ud800"];

/** A prompt of one byte to a megabyte: lines with all kinds of line ends, leading dashes, trailing semicolons, multi-byte characters. */
export function randomPrompt(chance: Chance, { big }: { readonly big: boolean } = { big: false }): string {
  const size = big ? 1_000_000 : 1 + chance(pick(SIZES, chance));
  const head = pick(["", "-", "--flag ", "; ", "  "], chance);
  const tail = pick(["", ";", "\\;", " ", "\n", "🙂"], chance);
  const parts: string[] = [head];
  for (let length = head.length; length < size; ) {
    const part = pick(WORDS, chance) + pick([" ", " ", " ", "\n", "\r\n", "\r", ""], chance);
    parts.push(part);
    length += part.length;
  }
  const text = `${parts.join("")}${tail}`;
  return text.trim() === "" ? "x" : text;
}

/** A prompt that must be rejected. */
export function forbiddenPrompt(chance: Chance): string {
  return `${randomPrompt(chance)}${pick(FORBIDDEN, chance)}x`;
}

export function pick<T>(from: readonly T[], chance: Chance): T {
  const [first, ...rest] = from;
  if (first === undefined) throw new TypeError("nothing to pick from");
  return [first, ...rest][chance(from.length)] ?? first;
}
