export * from "./grown-lines.js";
export * from "./session-usage.js";
export type * from "./usage-source.js";
