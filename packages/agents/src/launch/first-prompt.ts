/** The longest first prompt that argv carries, in bytes: what `ps` shows of it stays readable, and no argument limit is near. */
export const PROMPT_IN_ARGV = 8192;

/** A first prompt that says something and is short enough to be an argument of the agent. */
export function fitsArgv(prompt: string | null): prompt is string {
  return prompt !== null && prompt.trim() !== "" && Buffer.byteLength(prompt) <= PROMPT_IN_ARGV;
}
