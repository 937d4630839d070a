import * as fc from "fast-check";

const { TMPM_TEST_SEED } = process.env;

/** Checks a property on generated values; a failure prints the seed and the smallest counterexample. */
export function forAll<Values extends [unknown, ...unknown[]]>(
  arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  check: (...values: Values) => void,
): void {
  void fc.assert(fc.property(...arbitraries, check), TMPM_TEST_SEED === undefined ? {} : { seed: Number(TMPM_TEST_SEED) });
}
