export * from "./daemon-lock.js";
export * from "./directory-store.js";
export * from "./event-journal.js";
export type * from "./journal.js";
export type { JournalCalls } from "./journal-calls.js";
export * from "./single-file-store.js";
export type * from "./store.js";
export type { WriteCalls } from "./write-durably.js";
