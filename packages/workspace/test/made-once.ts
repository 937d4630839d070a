import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** A folder that is filled at its first use, and then copied: otherwise these tests would spend most of their time on starting git. */
export function madeOnce(fill: (path: string) => void): () => string {
  let made: string | null = null;
  return () => {
    if (made === null) {
      const path = folderOfRun();
      fill(path);
      made = path;
    }
    return made;
  };
}

/** The test run removes it. */
export function folderOfRun(): string {
  const { TMPM_TEST_PROGRAMS: programs } = process.env;
  if (programs === undefined) throw new Error("TMPM_TEST_PROGRAMS is not set: scripts/test-programs.mjs does that for every run of vitest");
  mkdirSync(programs, { recursive: true });
  return realpathSync(mkdtempSync(join(programs, "made-")));
}
