import { adoptCases } from "./adopt-cases.js";
import { captureCases } from "./capture-cases.js";
import { createCases } from "./create-cases.js";
import { findCases } from "./find-cases.js";
import type { ContractOptions, Declare } from "./fixture.js";
import { foreignCases } from "./foreign-cases.js";
import { keysCases } from "./keys-cases.js";
import { killCases } from "./kill-cases.js";
import { outputCases } from "./output-cases.js";
import { pasteCases } from "./paste-cases.js";
import { refusalCases } from "./refusal-cases.js";
import { renameCases } from "./rename-cases.js";
import { resizeCases } from "./resize-cases.js";
import { specCases } from "./spec-cases.js";
import { unknownCases } from "./unknown-cases.js";
import { watchCases } from "./watch-cases.js";

const CASES = [
  createCases,
  specCases,
  findCases,
  foreignCases,
  adoptCases,
  renameCases,
  resizeCases,
  pasteCases,
  refusalCases,
  keysCases,
  captureCases,
  killCases,
  watchCases,
  outputCases,
  unknownCases,
];

/** Declares the contract of every `TmuxDriver`, as tests of the given runner. */
export function tmuxDriverContract({ test, open }: ContractOptions): void {
  const declare: Declare = (title, run) =>
    test(title, async () => {
      const fixture = await open();
      try {
        await run(fixture);
      } finally {
        await fixture.close();
      }
    });
  for (const cases of CASES) cases(declare);
}
