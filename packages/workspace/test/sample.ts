const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "0" } = process.env;

/** Every nth case, from an offset given by the seed; all of them at full scale. */
export function sample<T>(cases: readonly T[], every: number): readonly T[] {
  return Number(TMPM_TEST_SCALE) >= 10 ? cases : cases.filter((_, index) => (index + Number(TMPM_TEST_SEED)) % every === 0);
}
