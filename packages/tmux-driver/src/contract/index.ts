export { tmuxDriverContract } from "./contract.js";
export type { Argv, ContractFixture, ContractOptions, ContractPrograms } from "./fixture.js";
