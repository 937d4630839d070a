import { test } from "vitest";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_HOSTS = "", TMPM_TEST_SEED = "0" } = process.env;

/** Every case runs on every host; otherwise one in so many on those whose sessions cost a process each. */
export const ALL_HOSTS = Number(TMPM_TEST_SCALE) >= 10 || TMPM_TEST_HOSTS === "all";

/** One of the cases by default, which one the seed says; all of them at full scale. */
export function sampleOf<T>(cases: readonly T[]): readonly T[] {
  return ALL_HOSTS ? cases : cases.filter((_, index) => index === Number(TMPM_TEST_SEED) % cases.length);
}

/** Declares one of every so many cases, in their order, from one on that the seed says. `ms` is how long one may take. */
export function oneIn(every: number): (title: string, run: () => Promise<void>, ms?: number) => void {
  let index = Number(TMPM_TEST_SEED) % every;
  return (title, run, ms = 120_000) => {
    if (index++ % every === 0) test(title, { timeout: ms }, run);
  };
}
