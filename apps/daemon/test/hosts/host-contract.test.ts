import { hostContract } from "@tmpm/host/contract";
import { describe, test } from "vitest";
import { openPtyHost } from "./pty-host.js";
import { openTmuxHost } from "./tmux-host.js";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "0", TMPM_TEST_HOSTS = "" } = process.env;
const full = Number(TMPM_TEST_SCALE) >= 10 || TMPM_TEST_HOSTS === "all";
let declared = Number(TMPM_TEST_SEED) % 3;

/** Every third case, with an offset from the seed; all of them at full scale. Each starts processes of its own. */
function some(title: string, run: () => Promise<void>): void {
  if (full || declared++ % 3 === 0) test(title, run);
}

// The tests of the tmux driver already cover tmux terminals.
describe("tmux", () => hostContract({ test: some, open: openTmuxHost, terminals: full }));
describe("tmpm's PTYs", () => hostContract({ test: some, open: openPtyHost, terminals: true }));
