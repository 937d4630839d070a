const SEED = Number(process.env.TMPM_TEST_SEED ?? 1);
const SCALE = Number(process.env.TMPM_TEST_SCALE ?? 1);

/** Random choices that are reproducible by the seed of the run. */
export function randomly() {
  let state = SEED;
  function below(limit: number): number {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }
  return {
    below,
    pick<T>(list: readonly T[]): T {
      const found = list[below(list.length)];
      if (found === undefined) throw new TypeError("nothing to pick from");
      return found;
    },
    rounds: (count: number) => count * SCALE,
  };
}
