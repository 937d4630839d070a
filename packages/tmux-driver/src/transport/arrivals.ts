import { keyedQueue } from "@tmpm/core";
import { inTime } from "@tmpm/processes";
import type { Channel, Reply, Request } from "./channel.js";

/**
 * A control client introduces itself in several messages, and tmux (seen with 3.3a and 3.5a) crashes when it sends a notification to the
 * client between two of them. So no request that causes notifications is sent while a client of ours is attaching.
 */
export interface Arrivals {
  /** Starts clients one at a time, once no request that would notify them is in progress. */
  admit<C extends ArrivingClient>(start: () => C): Promise<C>;
  /** Detaches a client when none is attaching; the next one attaches after it has gone. */
  depart(client: DepartingClient): void;
  /** The same channel, which waits while a client is attaching. */
  heeding(channel: Channel): Channel;
}

export interface ArrivingClient {
  /** Settles when the client is attached, or never will be. */
  readonly attached: Promise<unknown>;
}

export interface DepartingClient {
  readonly leave: () => void;
  readonly gone: Promise<unknown>;
}

/** A server that takes longer is not answering at all, and cannot crash from this. */
const PATIENCE_MS = 1_000;

export function arrivals(): Arrivals {
  const inOrder = keyedQueue();
  const underWay = new Set<Promise<unknown>>();
  let arriving: Promise<unknown> | null = null;

  function admit<C extends ArrivingClient>(start: () => C): Promise<C> {
    return new Promise((resolve, reject) => {
      void inOrder.run("arrival", async () => {
        try {
          const quiet = patiently(Promise.allSettled(underWay));
          arriving = quiet;
          await quiet;
          const client = start();
          resolve(client);
          arriving = patiently(client.attached);
          await arriving;
        } catch (error) {
          reject(error);
        } finally {
          arriving = null;
        }
      });
    });
  }

  async function untilNoClientConnects(): Promise<void> {
    while (arriving !== null) await arriving;
  }

  async function whileUnderWay<T>(answer: Promise<T>): Promise<T> {
    underWay.add(answer);
    try {
      return await answer;
    } finally {
      underWay.delete(answer);
    }
  }

  async function heed(channel: Channel, request: Request): Promise<Reply> {
    await untilNoClientConnects();
    return whileUnderWay(channel.ask(request));
  }

  async function part({ leave, gone }: DepartingClient): Promise<void> {
    await untilNoClientConnects();
    leave();
    await whileUnderWay(gone);
  }

  return {
    admit,
    depart: (client) => void part(client),
    heeding: (channel) => ({ ask: (request) => (causesNotice(request) ? heed(channel, request) : channel.ask(request)) }),
  };
}

/** Any change: which of its commands tmux reports differs by version, and they may be within `if-shell`. */
function causesNotice({ kind }: Request): boolean {
  return kind === "mutate";
}

function patiently(wait: Promise<unknown>): Promise<unknown> {
  return inTime(wait, PATIENCE_MS);
}
