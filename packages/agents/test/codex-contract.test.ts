import { describe, test } from "vitest";
import { agentAdapterContract } from "../src/contract.js";
import { codex } from "../src/index.js";
import { recordedScreens } from "./recorded-screens.js";

for (const version of ["0.171.0", "0.150.1"]) {
  describe(`codex ${version}`, () => agentAdapterContract({ test, adapter: codex, screens: recordedScreens(`codex-${version}`) }));
}
