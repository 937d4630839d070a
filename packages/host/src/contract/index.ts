export type { AnyPrograms, Argv, HostContractOptions, HostFixture, TerminalPrograms } from "./fixture.js";
export { hostContract } from "./host-contract.js";
