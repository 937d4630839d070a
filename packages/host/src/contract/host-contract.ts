import type { Declare, HostContractOptions } from "./fixture.js";
import { lifeCases } from "./life-cases.js";
import { lookCases } from "./look-cases.js";
import { terminalCases } from "./terminal-cases.js";

/** Declares the requirements on every `SessionHost` as tests of the given runner. */
export function hostContract({ test, open, terminals }: HostContractOptions): void {
  const declare: Declare = (title, run) =>
    test(title, async () => {
      const fixture = await open();
      try {
        await run(fixture);
      } finally {
        await fixture.close();
      }
    });
  lifeCases(declare);
  lookCases(declare);
  if (terminals) terminalCases(declare);
}
