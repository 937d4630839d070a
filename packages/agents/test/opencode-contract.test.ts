import { describe, test } from "vitest";
import { agentAdapterContract } from "../src/contract.js";
import { opencode } from "../src/index.js";
import { recordedScreens } from "./recorded-screens.js";

for (const version of ["1.18.33"]) {
  describe(`opencode ${version}`, () => agentAdapterContract({ test, adapter: opencode, screens: recordedScreens(`opencode-${version}`) }));
}
