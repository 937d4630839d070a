import { describe, test } from "vitest";
import { agentAdapterContract } from "../src/contract.js";
import { claude } from "../src/index.js";
import { recordedScreens } from "./recorded-screens.js";

for (const version of ["2.1.197", "2.1.332"]) {
  describe(`claude ${version}`, () => agentAdapterContract({ test, adapter: claude, screens: recordedScreens(`claude-${version}`) }));
}
