export type { AnyPrograms, Argv, HostContractOptions, HostHarness, TerminalPrograms } from "./harness.js";
export { hostContract } from "./host-contract.js";
