/** Seeded random numbers. */
export interface Random {
  /** An integer below `limit`. */
  below(limit: number): number;
  pick<T>(from: readonly [T, ...T[]] | readonly T[]): T;
  chance(of: number): boolean;
}

/** mulberry32. */
export function random(seed: number): Random {
  let state = seed >>> 0;

  function below(limit: number): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }

  return {
    below,
    pick(from) {
      const found = from[below(from.length)];
      if (found === undefined) throw new RangeError("nothing to pick from");
      return found;
    },
    chance: (of) => below(of) === 0,
  };
}
