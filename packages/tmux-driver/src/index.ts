export { cgroupOf } from "@tmpm/processes";
export type { TmuxOptions } from "./compose.js";
export { tmuxDriver } from "./control/driver.js";
export type * from "./driver.js";
export { type WaitOptions, waitForScreen } from "./observe/wait-for-screen.js";
export { type OneShotOptions, oneShotDriver } from "./one-shot/driver.js";
export { type ProveUtf8Options, proveUtf8, type Utf8Proof } from "./server/prove-utf8.js";
export type { SocketChoice } from "./server/socket.js";
export { type TmuxHostOptions, tmuxHost } from "./tmux-host.js";
