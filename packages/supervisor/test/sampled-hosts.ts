import { test } from "vitest";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_HOSTS = "", TMPM_TEST_SEED = "0" } = process.env;

/** Every case runs on every host at full scale; otherwise a sample runs on hosts that need a process for each session. */
export const ALL_HOSTS = Number(TMPM_TEST_SCALE) >= 10 || TMPM_TEST_HOSTS === "all";

/** By default one of the cases, selected by the seed; all of them at full scale. */
export function sampleOf<T>(cases: readonly T[]): readonly T[] {
  return ALL_HOSTS ? cases : cases.filter((_, index) => index === Number(TMPM_TEST_SEED) % cases.length);
}

/** Declares every nth case, in order, from an offset given by the seed. `ms` is the timeout of one. */
export function oneIn(every: number): (title: string, run: () => Promise<void>, ms?: number) => void {
  let index = Number(TMPM_TEST_SEED) % every;
  return (title, run, ms = 120_000) => {
    if (index++ % every === 0) test(title, { timeout: ms }, run);
  };
}
