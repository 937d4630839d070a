import { boundedCases } from "./journal-bound-cases.js";
import { journalCases } from "./journal-cases.js";
import type { JournalCase, JournalContractOptions } from "./journal-fixture.js";
import { reopenedCases } from "./journal-reopened-cases.js";

/** Registers the cases that every EventJournal passes with the runner's `test`. Errors are identified by their codes. */
export function eventJournalContract({ test, open, supports }: JournalContractOptions): void {
  const inFixture =
    ({ limits = {}, run }: JournalCase) =>
    async () => {
      const fixture = await open(limits);
      try {
        await run(fixture);
      } finally {
        await fixture.dispose();
      }
    };
  for (const each of [...journalCases, ...boundedCases]) test(each.title, inFixture(each));
  for (const each of reopenedCases) {
    if (supports.includes("reopen")) test(each.title, inFixture(each));
    else test.skip(`${each.title} (skipped: the fixture has no "reopen")`, inFixture(each));
  }
}
