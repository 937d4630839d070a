import type { Declare, HostContractOptions } from "./harness.js";
import { lifeCases } from "./life-cases.js";
import { lookCases } from "./look-cases.js";
import { terminalCases } from "./terminal-cases.js";

/** Declares what every `SessionHost` has to do, as tests of the given runner. */
export function hostContract({ test, open, terminals }: HostContractOptions): void {
  const declare: Declare = (title, run) =>
    test(title, async () => {
      const harness = await open();
      try {
        await run(harness);
      } finally {
        await harness.close();
      }
    });
  lifeCases(declare);
  lookCases(declare);
  if (terminals) terminalCases(declare);
}
