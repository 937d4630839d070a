import type { NodeAnswer } from "@tmpm/api";
import { isTmpmError } from "@tmpm/core";
import type { NodeFeedsOptions } from "./node-feeds.js";
import { feedSessions } from "./session-feed.js";

/** One node's reports on its sessions. */
export interface NodeFeed {
  /** The node's presence according to this machine's daemon. */
  isPresent(node: Pick<NodeAnswer, "presence" | "last_seen_at">): void;
  end(): void;
}

type Options = Pick<NodeFeedsOptions, "at" | "send" | "fail" | "pause">;

const RETRIES_MS = [1_000, 2_000, 5_000, 10_000];
const SLOWEST_MS = 30_000;

/** Lists the node's sessions, then reports each session that has an event. While the node is silent it is queried again, with a growing delay. */
export function nodeFeed(node: string, { at, send, fail, pause }: Options): NodeFeed {
  let [ended, isSuspect, isWaiting] = [false, false, false];
  /** Aborts the current attempt; the next one begins with a list of all. */
  let attempt = new AbortController();
  let failures = 0;
  let isKnown = true;

  async function run(): Promise<void> {
    while (!ended) {
      attempt = new AbortController();
      const { signal } = attempt;
      const silent = (reason: string) => {
        if (!signal.aborted) send({ kind: "silent", node, reason, ...(isKnown ? {} : { asOf: null }) });
      };
      try {
        await feedSessions({
          client: at(node),
          node,
          signal,
          send(message) {
            failures = 0;
            if (!signal.aborted && !isSuspect) send(message);
          },
          connected: (connected, reason) => {
            if (!connected) silent(reason);
          },
        });
      } catch (error) {
        if (!isTmpmError(error)) throw error;
        silent(error.message);
        // Pending results of the failed attempt would be mixed with those of the next one.
        attempt.abort();
        attempt = new AbortController();
        isWaiting = true;
        await pause(RETRIES_MS[failures++] ?? SLOWEST_MS, attempt.signal);
        isWaiting = false;
      }
    }
  }

  run().catch(fail);
  return {
    isPresent({ presence, last_seen_at }) {
      isKnown = last_seen_at !== null;
      if (presence === "suspect" && !isSuspect) {
        isSuspect = true;
        send({ kind: "silent", node, reason: "silent for more than 15 s", asOf: last_seen_at });
      }
      if (presence !== "online" || !(isSuspect || isWaiting)) return;
      isSuspect = false;
      attempt.abort();
    },
    end() {
      ended = true;
      attempt.abort();
    },
  };
}
