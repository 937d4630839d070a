export type * from "./foreign-files.js";
export * from "./read-foreign.js";
export * from "./write-foreign.js";
