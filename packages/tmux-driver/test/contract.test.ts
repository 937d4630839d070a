import { describe, test } from "vitest";
import { tmuxDriverContract } from "../src/contract/index.js";
import { tmuxDriver } from "../src/index.js";
import { openFake } from "./fake-harness.js";
import { openTmux } from "./tmux-harness.js";

describe("the fake", () => tmuxDriverContract({ test, open: openFake }));
describe("one tmux process per call", () => tmuxDriverContract({ test, open: openTmux }));
describe("one control-mode connection", () => tmuxDriverContract({ test, open: () => openTmux({}, tmuxDriver) }));
