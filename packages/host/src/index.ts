export * from "./conversation.js";
export * from "./host.js";
