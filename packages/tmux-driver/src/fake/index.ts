export type { FakeFailure, FakeMethod } from "./fake-faults.js";
export type { FakeInput } from "./fake-pane.js";
export { exitingProgram, type FakeEnd, type FakeProcess, type FakeProgram, type FakeTerminal, waitingProgram } from "./fake-program.js";
export { type FakeTmux, type FakeTmuxOptions, fakeTmux } from "./fake-tmux.js";
export type { FakePrograms } from "./programs.js";
export { shellProgram } from "./shell-program.js";
