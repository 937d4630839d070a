import { describe, test } from "vitest";
import { tmuxDriverContract } from "../src/contract/index.js";
import { openFake } from "./fake-harness.js";
import { openTmux } from "./tmux-harness.js";

describe("the fake", () => tmuxDriverContract({ test, open: openFake }));
describe("one tmux process per call", () => tmuxDriverContract({ test, open: openTmux }));
