import { describe, test } from "vitest";
import { tmuxDriverContract } from "../src/contract/index.js";
import { tmuxDriver } from "../src/index.js";
import { openFake } from "./fake-harness.js";
import { openTmux } from "./tmux-harness.js";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "0" } = process.env;
let declared = Number(TMPM_TEST_SEED) % 3;

/** What is slowest declares every third case, from one that the seed says; all of them at full scale. */
function some(title: string, run: () => Promise<void>): void {
  if (Number(TMPM_TEST_SCALE) >= 10 || declared++ % 3 === 0) test(title, run);
}

describe("the fake", () => tmuxDriverContract({ test, open: openFake }));
describe("one tmux process per call", () => tmuxDriverContract({ test: some, open: openTmux }));
describe("one control-mode connection", () => tmuxDriverContract({ test, open: () => openTmux({}, tmuxDriver) }));
