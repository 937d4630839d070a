export type * from "./adapter.js";
export * from "./claude.js";
export * from "./command.js";
export * from "./recording.js";
export * from "./registry.js";
export * from "./shell.js";
