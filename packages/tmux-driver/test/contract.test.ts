import { describe, test } from "vitest";
import { type ContractOptions, tmuxDriverContract } from "../src/contract/index.js";
import { tmuxDriver } from "../src/index.js";
import { openFake } from "./fake-fixture.js";
import { openTmux } from "./tmux-fixture.js";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "0" } = process.env;

/**
 * With a real tmux each case uses one of the two drivers: every third, from an offset given by the seed, uses the slower one. At full scale
 * each uses both.
 */
function those(slower: boolean): ContractOptions["test"] {
  let declared = Number(TMPM_TEST_SEED) % 3;
  return (title, run) => {
    const isSlower = declared++ % 3 === 0;
    if (Number(TMPM_TEST_SCALE) >= 10 || isSlower === slower) test(title, run);
  };
}

describe("fake", () => tmuxDriverContract({ test, open: openFake }));
describe("one tmux process per call", () => tmuxDriverContract({ test: those(true), open: openTmux }));
describe("one control-mode connection", () => tmuxDriverContract({ test: those(false), open: () => openTmux({}, tmuxDriver) }));
