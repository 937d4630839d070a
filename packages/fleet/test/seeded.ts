const { TMPM_TEST_SEED = "1", TMPM_TEST_SCALE = "1" } = process.env;

/** The parameters of a check of generated values, whose failure prints the seed. */
export function seeded(numRuns = 100): { readonly seed: number; readonly numRuns: number } {
  return { seed: Number(TMPM_TEST_SEED), numRuns: Math.ceil(numRuns * Number(TMPM_TEST_SCALE)) };
}

/** Numbers from 0 to below 1 (Mulberry32). */
export function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
