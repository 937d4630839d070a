import { type Client, followEvents, type SessionRefreshes, sessionRefreshes } from "@tmpm/api/client";
import { hasCode } from "@tmpm/core";
import type { Message } from "./message.js";

export interface SessionFeedOptions {
  /** Never starts a daemon, so that a stopped one stays stopped. */
  readonly client: Pick<Client, "events" | "list" | "show">;
  /** The queried machine; null for this one. */
  readonly node: string | null;
  readonly signal: AbortSignal;
  readonly send: (message: Message) => void;
  /** The daemon stopped answering, or answers again. */
  readonly connected: (connected: boolean, reason: string) => void;
}

/** Larger than any event number: a request after it returns the newest. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/** Reports all sessions of a machine, then each session that has an event, until the signal; waits for a daemon that goes away. @throws its errors */
export async function feedSessions(options: SessionFeedOptions): Promise<void> {
  const { client, signal } = options;
  const refreshes = refreshing(options);
  const events = noticing(client, (connected, reason) => {
    options.connected(connected, reason);
    if (connected) refreshes.all();
  });
  const following = followEvents(events, { after: NEWEST }, { signal, attempts: Number.POSITIVE_INFINITY });
  try {
    await Promise.race([follow(following, refreshes), refreshes.failed]);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function follow(events: ReturnType<typeof followEvents>, refreshes: Refreshing): Promise<void> {
  for await (const each of events) {
    if (each.kind === "behind") refreshes.all();
    else refreshes.after(each.event);
  }
}

/** The same events; reports when the daemon stops answering and when it is back, polling immediately. */
function noticing(client: Pick<Client, "events">, onChange: SessionFeedOptions["connected"]): Pick<Client, "events"> {
  let connected = true;
  return {
    async events(input, options) {
      try {
        const page = await client.events(connected ? input : { ...input, wait_ms: 0 }, options);
        if (!connected) onChange(true, "");
        connected = true;
        return page;
      } catch (error) {
        const away = hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN");
        if (connected && away) onChange(false, error.message);
        connected = connected && !away;
        throw error;
      }
    },
  };
}

interface Refreshing extends SessionRefreshes {
  /** Rejects with errors other than an absent daemon. */
  readonly failed: Promise<never>;
}

function refreshing({ client, node, signal, send }: SessionFeedOptions): Refreshing {
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const refreshes = sessionRefreshes({
    client,
    signal,
    listed: ({ sessions, problems }) => send({ kind: "listed", node, sessions, problems: problems.length }),
    seen: (session) => send({ kind: "seen", node, session }),
    gone: (id) => send({ kind: "gone", node, id }),
    // The events show when the daemon is back; then everything is reloaded.
    failed(error) {
      if (!signal.aborted && !hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN", "OVERLOADED")) fail(error);
      return hasCode(error, "OVERLOADED");
    },
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  return { ...refreshes, failed };
}
