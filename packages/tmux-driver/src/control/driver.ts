import { composeDriver, type TmuxOptions } from "../compose.js";
import type { TmuxDriver } from "../driver.js";
import { recentPanes, seePanes } from "../observe/find.js";
import { pollingWatch } from "../observe/watch.js";
import { controlChannel } from "./channel.js";
import { type LinkEvent, link } from "./link.js";

/** Interval of full listings without a reported change, in milliseconds. */
const LIST_EVERY_MS = 30_000;

/**
 * A driver over one control-mode connection for requests and notifications, which reconnects; one process for each call while there is
 * none, and to start the server. `transport` reports the current path. For servers of our own: it creates a hidden session there.
 * @throws SOCKET_PATH_TOO_LONG, INVALID_ARGUMENT for a bad socket
 */
export function tmuxDriver(options: TmuxOptions): TmuxDriver {
  return composeDriver(options, (oneShot, client) => {
    const connection = link(client);
    return {
      name: () => (connection.isUp() ? "control" : "one-shot"),
      channel: controlChannel({
        link: connection,
        oneShot,
        monotonic: client.monotonic,
        patienceMs: client.deadlines.read,
        nonce: client.nonce,
        folder: options.stateDir,
      }),
      watch(context) {
        const watch = pollingWatch({
          list: () => seePanes(context),
          everyMs: options.pollMs ?? 1000,
          recent: {
            panes: (since) => recentPanes(context, since),
            usable: connection.isUp,
            listEveryMs: LIST_EVERY_MS,
            second: () => Math.floor(Date.now() / 1000),
          },
        });
        connection.onEvent((event) => {
          if (isChange(event)) watch.signal({ missed: event.type === "down" });
        });
        return watch;
      },
      onExit: (check) =>
        connection.onEvent((event) => {
          if (event.type === "item" && event.item.type === "output") check();
        }),
      settled: connection.settled,
      close: () => connection.close(),
    };
  });
}

/**
 * Any notification about a session or window, and the echo of a key that our hook pressed in the anchor, means that the list may have
 * changed.
 */
function isChange(event: LinkEvent): boolean {
  return (
    event.type !== "item" ||
    event.item.type === "output" ||
    (event.item.type === "notification" && /^(?:sessions?|window|unlinked-window|layout|client)-/.test(event.item.name))
  );
}
