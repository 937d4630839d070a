import { isTmpmError } from "@tmpm/core";
import type { Channel, ChannelName } from "./channel.js";
import type { Notice } from "./notice.js";

export type Outcome = "sent" | "failed" | "dropped";

export interface OutboxOptions {
  readonly channels: readonly Channel[];
  readonly now: () => Date;
  readonly count: (channel: ChannelName, outcome: Outcome) => void;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

export interface ChannelState {
  readonly channel: ChannelName;
  readonly target: string | null;
  readonly sent: number;
  readonly failed: number;
  readonly dropped: number;
  /** The last attempt's failure; null when it succeeded. */
  readonly failure: { readonly at: string; readonly message: string; readonly hint: string | null } | null;
}

export interface Outbox {
  /** Hands it to every configured channel, without waiting. */
  put(notice: Notice): void;
  /** The same, and waits for the results. */
  try(notice: Notice): Promise<readonly ChannelState[]>;
  states(): readonly ChannelState[];
  /** Ends deliveries in progress. */
  close(): Promise<void>;
}

/** Maximum number of notices waiting for a channel; further ones are dropped and counted. */
const MOST = 20;

/** Each channel delivers one notice at a time, independently of the other channels. */
export function outbox({ channels, now, count, report }: OutboxOptions): Outbox {
  const closing = new AbortController();
  const lanes = channels.map((channel) => {
    let waiting = 0;
    let tail: Promise<void> = Promise.resolve();
    let tally = { sent: 0, failed: 0, dropped: 0 };
    let failure: ChannelState["failure"] = null;

    async function send(notice: Notice): Promise<void> {
      try {
        if (closing.signal.aborted) return;
        await channel.send(notice, { signal: closing.signal });
        ended("sent");
        failure = null;
      } catch (error) {
        ended("failed");
        if (failure === null) report({ doing: `notifying through ${channel.name}`, error });
        failure = {
          at: now().toISOString(),
          message: error instanceof Error ? error.message : String(error),
          hint: isTmpmError(error) ? error.hint : null,
        };
      } finally {
        waiting--;
      }
    }

    function ended(outcome: Outcome): void {
      tally = { ...tally, [outcome]: tally[outcome] + 1 };
      count(channel.name, outcome);
    }

    return {
      state: (): ChannelState => ({ channel: channel.name, target: channel.target(), ...tally, failure }),
      put(notice: Notice): Promise<void> {
        if (channel.target() === null) return Promise.resolve();
        if (waiting >= MOST) {
          ended("dropped");
          return Promise.resolve();
        }
        waiting++;
        tail = tail.then(() => send(notice));
        return tail;
      },
      idle: () => tail,
    };
  });
  const states = () => lanes.map(({ state }) => state());
  return {
    put(notice) {
      for (const lane of lanes) void lane.put(notice);
    },
    async try(notice) {
      await Promise.all(lanes.map((lane) => lane.put(notice)));
      return states();
    },
    states,
    async close() {
      closing.abort();
      await Promise.all(lanes.map(({ idle }) => idle()));
    },
  };
}
