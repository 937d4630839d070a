import * as fc from "fast-check";

const characters = fc.oneof(
  fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz    "),
  fc.constantFrom(..."0123456789 ,.:()[]{}'\"`$&|<>~^%*+=-_\\;#@!/?"),
  fc.constantFrom(..."äöüßéñçøœæ日本語中文한국어"),
  fc.constantFrom("🙂", "🚀", "✨", "❯", "›", "●", "─"),
);
const line = fc.array(characters, { minLength: 1, maxLength: 200 }).map((parts) => parts.join(""));
const body = fc.oneof(
  line,
  fc.array(line, { minLength: 2, maxLength: 30 }).map((lines) => lines.join("\n")),
);
const beginning = fc.constantFrom("", "", "- ", "; ", "# ", "-n ", "%0 ");
const end = fc.constantFrom("", ";", "\\", " $", " @x", " /x", ".");

/**
 * Realistic typed and pasted prompts: of one line and many, of any script, with characters that are special to shells and terminals. No
 * line ends in blanks.
 */
export function randomPrompts({ count, seed }: { readonly count: number; readonly seed: number }): readonly string[] {
  const prompts = fc.sample(fc.tuple(beginning, body, end), { numRuns: count, seed });
  return prompts.map(([first, middle, last], index) => `${first}p${index} ${middle}${last}`.replace(/[ \t]+$/gmu, ""));
}
