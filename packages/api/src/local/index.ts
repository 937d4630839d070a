export * from "./current-location.js";
export * from "./location.js";
export { isNotRunning } from "./not-running.js";
export * from "./private-dir.js";
export * from "./transport.js";
