import { type Client, followEvents } from "@tmpm/api/client";
import { hasCode } from "@tmpm/core";
import type { Message } from "./message.js";

export interface SessionFeedOptions {
  /** Never starts a daemon, so that one that was stopped stays so. */
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly tell: (message: Message) => void;
}

/** More sessions than this are asked for together. */
const ONE_BY_ONE = 6;
const GATHER_MS = 25;
/** No event has this number: what is asked for after it tells the newest. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/** After these a session may be listed that was not, or the other way round. */
const LISTS_ANEW = [
  ...["session_created", "session_adopted", "session_removed", "session_deleted", "session_archived"],
  ...["session_reactivated", "session_undone", "events_lost"],
];

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
    if (each.kind === "behind" || LISTS_ANEW.includes(each.event.type)) looks.all();
    else if (typeof each.event.session_id === "string") looks.at(each.event.session_id);
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

interface Looking {
  all(): void;
  at(session: string): void;
  /** Rejects with what is no matter of a daemon that is away. */
  readonly failed: Promise<never>;
}

/** Gathers what is to be looked at for a moment, and asks for it together. */
function looking({ client, signal, tell }: SessionFeedOptions): Looking {
  let wanted = new Set<string>();
  let everything = false;
  let running = false;
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    try {
      while (everything || wanted.size > 0) await gather();
    } catch (error) {
      // The events tell when it is back, and then everything is looked at anew.
      if (!signal.aborted && !hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN", "OVERLOADED")) fail(error);
    } finally {
      running = false;
    }
  }

  async function gather(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    const [ids, all] = [wanted, everything || wanted.size > ONE_BY_ONE];
    [wanted, everything] = [new Set(), false];
    if (signal.aborted) return;
    if (all) {
      const { sessions, problems } = await client.list({}, { signal });
      tell({ kind: "listed", sessions, problems: problems.length });
    } else for (const id of ids) tell(await seen(id));
  }

  async function seen(id: string): Promise<Message> {
    try {
      return { kind: "seen", session: await client.show({ session: id }, { signal }) };
    } catch (error) {
      if (hasCode(error, "SESSION_NOT_FOUND")) return { kind: "gone", id };
      throw error;
    }
  }

  return {
    all() {
      everything = true;
      void run();
    },
    at(session) {
      wanted.add(session);
      void run();
    },
    failed,
  };
}
