import { closingCases, obstructedCases, plantedCases, sharedCases, watchingCases } from "./condition-cases.js";
import { readingCases } from "./reading-cases.js";
import type { Capability, Case, ContractOptions } from "./store-fixture.js";
import { creatingCases, movingCases, removingCases, updatingCases } from "./writing-cases.js";

/** Registers the cases that every SessionStore passes with the runner's `test`. Errors are identified by their codes. */
export function sessionStoreContract({ test, open, supports }: ContractOptions): void {
  for (const { title, run } of [
    ...readingCases,
    ...creatingCases,
    ...updatingCases,
    ...movingCases,
    ...removingCases,
    ...watchingCases,
    ...closingCases,
  ]) {
    test(title, () => inFixture(open, run));
  }
  for (const [capability, cases] of OPTIONAL) {
    for (const { title, run } of cases) {
      if (supports.includes(capability)) test(title, () => inFixture(open, run));
      else test.skip(`${title} (skipped: the fixture has no "${capability}")`, () => inFixture(open, run));
    }
  }
}

const OPTIONAL: readonly (readonly [Capability, readonly Case[]])[] = [
  ["plant", plantedCases],
  ["obstruct", obstructedCases],
  ["another", sharedCases],
];

async function inFixture(open: ContractOptions["open"], run: Case["run"]): Promise<void> {
  const fixture = await open();
  try {
    await run(fixture);
  } finally {
    await fixture.dispose();
  }
}
