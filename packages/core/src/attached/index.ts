export * from "./detach-key.js";
export * from "./leave.js";
export * from "./without-queries.js";
