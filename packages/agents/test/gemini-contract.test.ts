import { describe, test } from "vitest";
import { agentAdapterContract } from "../src/contract.js";
import { gemini } from "../src/index.js";
import { recordedScreens } from "./recorded-screens.js";

for (const version of ["0.61.0"]) {
  describe(`gemini ${version}`, () => agentAdapterContract({ test, adapter: gemini, screens: recordedScreens(`gemini-${version}`) }));
}
