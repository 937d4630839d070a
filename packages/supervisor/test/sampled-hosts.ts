import { test } from "vitest";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_HOSTS = "" } = process.env;

/** Every case runs on every host; otherwise one in so many on those whose sessions cost a process each. */
export const ALL_HOSTS = Number(TMPM_TEST_SCALE) >= 10 || TMPM_TEST_HOSTS === "all";

/** Declares the first of every so many cases, in their order. `ms` is how long one may take. */
export function oneIn(every: number): (title: string, run: () => Promise<void>, ms?: number) => void {
  let index = 0;
  return (title, run, ms = 60_000) => {
    if (index++ % every === 0) test(title, { timeout: ms }, run);
  };
}
