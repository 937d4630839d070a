export { eventJournalContract } from "./event-journal-contract.js";
export type { JournalContractOptions, JournalFixture, OutsideChange } from "./journal-fixture.js";
export { type SendJournalFixture, sendJournalContract } from "./send-journal-contract.js";
export { sessionStoreContract } from "./session-store-contract.js";
export type { ContractOptions, ContractTest, StoreFixture } from "./store-fixture.js";
export { type TurnJournalFixture, turnJournalContract } from "./turn-journal-contract.js";
