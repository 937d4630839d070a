/** The tokens of one answer. `input` excludes cached tokens; `output` includes `reasoning`. */
export interface Counts {
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
  readonly reasoning: number;
}

/** Distinct numbers for each answer of a mock model, so that a sum identifies its answers. Only Anthropic's API reports tokens written to the cache. */
export function countsOf(number: number, protocol: string): Counts {
  const own = protocol === "anthropic";
  return {
    input: 1000 + number,
    cache_read: 2000 + 10 * number,
    cache_write: own ? 300 + number : 0,
    output: 50 + number,
    reasoning: own ? 0 : 5 + number,
  };
}
