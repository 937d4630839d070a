export * from "./budget.js";
export * from "./count-answer.js";
export * from "./limit-resume.js";
export * from "./prices.js";
export * from "./read-limit.js";
export * from "./token-counts.js";
export * from "./usage-record.js";
