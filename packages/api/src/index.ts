export * from "./contracts.js";
export * from "./paths.js";
export * from "./scope.js";
