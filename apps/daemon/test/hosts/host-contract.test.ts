import { hostContract } from "@tmpm/supervisor/host-contract";
import { describe, test } from "vitest";
import { openPtyHost } from "./pty-host.js";
import { openTmuxHost } from "./tmux-host.js";

const full = Number(process.env.TMPM_TEST_SCALE ?? 1) >= 10;

// What a terminal of tmux does is proven for its driver already.
describe("tmux", () => hostContract({ test, open: openTmuxHost, terminals: full }));
describe("PTYs of ours", () => hostContract({ test, open: openPtyHost, terminals: true }));
