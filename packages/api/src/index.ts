export * from "./contracts.js";
export * from "./paths.js";
