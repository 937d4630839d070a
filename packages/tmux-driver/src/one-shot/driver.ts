import { composeDriver, type TmuxOptions } from "../compose.js";
import type { TmuxDriver } from "../driver.js";
import { seePanes } from "../observe/find.js";
import { pollingWatch } from "../observe/watch.js";

export type OneShotOptions = TmuxOptions;

/** A driver that runs one tmux process for each call. @throws SOCKET_PATH_TOO_LONG, INVALID_ARGUMENT for a bad socket */
export function oneShotDriver(options: OneShotOptions): TmuxDriver {
  return composeDriver(options, (channel) => ({
    name: () => "one-shot",
    channel,
    watch: (context) => pollingWatch({ list: () => seePanes(context), everyMs: options.pollMs ?? 1000 }),
    close: async () => undefined,
  }));
}
