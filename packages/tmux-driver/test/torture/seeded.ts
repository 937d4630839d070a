/** 1 in the default run, 10 for the full counts. */
export const SCALE = Number(process.env.TMPM_TEST_SCALE ?? "1");
export const SEED = Number(process.env.TMPM_TEST_SEED ?? "1");

/** Reproducible by the seed: an integer from 0 to below `below`. */
export type Chance = (below: number) => number;

/** @param salt distinguishes the sequences of one seed */
export function seeded(salt: number): Chance {
  let state = (SEED ^ Math.imul(salt + 1, 0x9e3779b9)) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export function pick<T>(from: readonly T[], chance: Chance): T {
  const [first, ...rest] = from;
  if (first === undefined) throw new TypeError("nothing to pick from");
  return [first, ...rest][chance(from.length)] ?? first;
}
