export { type EnvironmentSource, type ServerScope, serverScope, sharesCgroup } from "@tmpm/processes";
export { cgroupOf } from "./cgroup.js";
export type { TmuxOptions } from "./compose.js";
export { tmuxDriver } from "./control/driver.js";
export type * from "./driver.js";
export { type OneShotOptions, oneShotDriver } from "./one-shot/driver.js";
export type { SocketChoice } from "./socket.js";
export { type TmuxHostOptions, tmuxHost } from "./tmux-host.js";
export { type WaitOptions, waitForScreen } from "./wait-for-screen.js";
