export * from "./contracts.js";
export * from "./headers.js";
export * from "./output-frame.js";
export * from "./paths.js";
export * from "./request-too-long.js";
export * from "./scope.js";
export * from "./usage-groupings.js";
