export { sessionStoreContract } from "./session-store-contract.js";
export type { ContractOptions, ContractTest, StoreFixture } from "./store-fixture.js";
