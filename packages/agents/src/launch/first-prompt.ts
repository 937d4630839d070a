/** The longest first prompt in argv, in bytes: `ps` output stays readable, and no argument limit is near. */
export const PROMPT_IN_ARGV = 8192;

/** A first prompt that is not blank and short enough for an argument. Unlike for `trim`, a byte order mark is text. */
export function fitsArgv(prompt: string | null): prompt is string {
  return prompt !== null && /\P{White_Space}/u.test(prompt) && Buffer.byteLength(prompt) <= PROMPT_IN_ARGV;
}
