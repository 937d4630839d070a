export * from "./current-location.js";
export * from "./current-token.js";
export * from "./current-transport.js";
export * from "./file-bytes.js";
export * from "./location.js";
export * from "./private-dir.js";
export * from "./tcp-transport.js";
export * from "./transport.js";
export { isConnectionLost, isNotRunning } from "./unreachable.js";
