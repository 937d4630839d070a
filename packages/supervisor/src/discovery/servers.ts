import type { PaneIdentity } from "@tmpm/core";
import type { Answer, Screen, TmuxDriver } from "@tmpm/tmux-driver";

/** How other people's tmux servers are reached. */
export type ForeignServer = (socket: string) => TmuxDriver;

/**
 * The own server's driver for everything that names no pane, and for each pane the driver of the server that it is on, so that what is done to a session does not
 * depend on where its terminal is.
 */
export function driverByPane(own: TmuxDriver, foreign: ForeignServer): TmuxDriver {
  const at = ({ socket }: PaneIdentity) => (socket === own.socket ? own : foreign(socket));
  return {
    get transport() {
      return own.transport;
    },
    socket: own.socket,
    server: () => own.server(),
    list: () => own.list(),
    create: (spec) => own.create(spec),
    watch: (listener) => own.watch(listener),
    close: () => own.close(),
    find: async (identity) => at(identity).find(identity),
    adopt: async (identity, sessionId) => at(identity).adopt(identity, sessionId),
    rename: async (identity, tmuxName) => at(identity).rename(identity, tmuxName),
    resize: async (identity, size) => at(identity).resize(identity, size),
    release: async (identity) => at(identity).release(identity),
    paste: async (identity, text) => at(identity).paste(identity, text),
    keys: async (identity, keys) => at(identity).keys(identity, keys),
    capture: async (identity, options) => at(identity).capture(identity, options),
    kill: async (identity, options) => at(identity).kill(identity, options),
    output: async (identity, listener) => at(identity).output(identity, listener),
    attachCommand: (identity) => at(identity).attachCommand(identity),
    directories: (identities) => bySocket(identities, (some) => at(some[0]).directories(some)),
    captureMany: (identities, options) => bySocket<Answer<Screen>>(identities, (some) => at(some[0]).captureMany(some, options)),
  };
}

type Some = readonly [PaneIdentity, ...PaneIdentity[]];

/** Asks each server about its own panes, all at once, and puts the answers in the order of the panes. */
async function bySocket<T>(identities: readonly PaneIdentity[], ask: (some: Some) => Promise<readonly T[]>): Promise<readonly T[]> {
  const groups = new Map<string, Some>();
  for (const identity of identities) {
    const group = groups.get(identity.socket);
    groups.set(identity.socket, group === undefined ? [identity] : [...group, identity]);
  }
  const answers = await Promise.all(
    [...groups.values()].map(async (some) => {
      const values = await ask(some);
      return some.map((identity, index) => [identity, values.slice(index, index + 1)] as const);
    }),
  );
  const byIdentity = new Map(answers.flat());
  return identities.flatMap((identity) => byIdentity.get(identity) ?? []);
}
