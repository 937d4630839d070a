import { type Client, followEvents, type SessionLooks, sessionLooks } from "@tmpm/api/client";
import { hasCode } from "@tmpm/core";
import type { Message } from "./message.js";

export interface SessionFeedOptions {
  /** Never starts a daemon, so that one that was stopped stays so. */
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly tell: (message: Message) => void;
}

/** No event has this number: what is asked for after it tells the newest. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/** Tells of all sessions, then of each that something happens to, until the signal; a daemon that goes away is waited for. @throws what it answers */
export async function feedSessions({ client, signal, tell }: SessionFeedOptions): Promise<void> {
  const looks = looking({ client, signal, tell });
  const events = noticing(client, (connected) => {
    tell({ kind: "connected", connected });
    if (connected) looks.all();
  });
  const following = followEvents(events, { after: NEWEST }, { signal, attempts: Number.POSITIVE_INFINITY });
  try {
    await Promise.race([follow(following, looks), looks.failed]);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function follow(events: ReturnType<typeof followEvents>, looks: Looking): Promise<void> {
  for await (const each of events) {
    if (each.kind === "behind") looks.all();
    else looks.after(each.event);
  }
}

/** The same events; tells when the daemon does not answer any more, and when it does again, for which it is asked at once. */
function noticing(client: Client, told: (connected: boolean) => void): Pick<Client, "events"> {
  let connected = true;
  return {
    async events(input, options) {
      try {
        const page = await client.events(connected ? input : { ...input, wait_ms: 0 }, options);
        if (!connected) told(true);
        connected = true;
        return page;
      } catch (error) {
        if (connected && hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN")) told(false);
        connected = connected && !hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN");
        throw error;
      }
    },
  };
}

interface Looking extends SessionLooks {
  /** Rejects with what is no matter of a daemon that is away. */
  readonly failed: Promise<never>;
}

function looking({ client, signal, tell }: SessionFeedOptions): Looking {
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const looks = sessionLooks({
    client,
    signal,
    listed: ({ sessions, problems }) => tell({ kind: "listed", sessions, problems: problems.length }),
    seen: (session) => tell({ kind: "seen", session }),
    gone: (id) => tell({ kind: "gone", id }),
    // The events tell when it is back, and then everything is looked at anew.
    failed(error) {
      if (!signal.aborted && !hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN", "OVERLOADED")) fail(error);
    },
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  return { ...looks, failed };
}
