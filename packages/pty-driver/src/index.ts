export { findNodePty, probeNodePty } from "./node-pty.js";
export { type PtyDriver, type PtyOptions, ptyDriver } from "./pty-driver.js";
