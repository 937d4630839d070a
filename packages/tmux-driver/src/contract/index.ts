export { tmuxDriverContract } from "./contract.js";
export type { Argv, ContractHarness, ContractOptions, ContractPrograms } from "./harness.js";
