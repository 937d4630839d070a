import { ERRORS, hasCode, isTmpmError } from "@tmpm/core/errors";
import type { Client } from "./client.js";
import type { EventAnswer, SessionAnswer, SessionList } from "./contracts.js";

export interface SessionRefreshesOptions {
  readonly client: Pick<Client, "list" | "show">;
  readonly listed: (list: SessionList) => void;
  readonly seen: (session: SessionAnswer) => void;
  readonly gone: (id: string) => void;
  /** A read failed. It is repeated with the next one, or after a pause if this returns true. */
  readonly failed: (error: unknown) => unknown;
  /** Resolves after the given number of ms. */
  readonly pause: (ms: number) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Keeps the shown sessions up to date. */
export interface SessionRefreshes {
  all(): void;
  at(session: string): void;
  /** Sessions affected by an event. */
  after(event: Pick<EventAnswer, "type" | "session_id">): void;
}

/** The first and the longest pause after a failure, in ms. */
const AGAIN_MS = { first: 500, longest: 8_000 } as const;

/** More sessions than this are read with one request. */
const ONE_BY_ONE = 5;
const GATHER_MS = 30;

/** After these events a session may enter or leave the list. */
const LISTS_ANEW: ReadonlySet<string> = new Set([
  ...["session_created", "session_adopted", "session_removed", "session_deleted", "session_archived"],
  ...["session_reactivated", "session_undone", "events_lost"],
]);

/** Reads sessions that had an event: events in quick succession share reads, and a read that starts after an event covers it. */
export function sessionRefreshes({ client, listed, seen, gone, failed, pause, signal }: SessionRefreshesOptions): SessionRefreshes {
  const asking = signal === undefined ? {} : { signal };
  let wanted = new Set<string>();
  let everything = false;
  let running = false;
  let pausing = false;
  let againMs: number = AGAIN_MS.first;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    try {
      while (everything || wanted.size > 0) {
        await readWanted();
        againMs = AGAIN_MS.first;
        // The first read is at once; events during it and shortly after share the next one.
        await pause(GATHER_MS);
      }
    } catch (error) {
      if (signal?.aborted !== true && failed(error) === true) void again();
    } finally {
      running = false;
    }
  }

  /** Events meanwhile are read at once. */
  async function again(): Promise<void> {
    if (pausing) return;
    pausing = true;
    const ms = againMs;
    againMs = Math.min(2 * ms, AGAIN_MS.longest);
    await pause(ms);
    pausing = false;
    void run();
  }

  async function readWanted(): Promise<void> {
    // Events that were received together are noted first.
    await Promise.resolve();
    const [ids, all] = [wanted, everything || wanted.size > ONE_BY_ONE];
    [wanted, everything] = [new Set(), false];
    if (signal?.aborted === true) return;
    const errors = all
      ? await attempt(readAll, () => {
          everything = true;
        })
      : (
          await Promise.all(
            [...ids].map((id) =>
              attempt(
                () => read(id),
                () => wanted.add(id),
              ),
            ),
          )
        ).flat();
    if (errors.length > 0) throw errors[0];
  }

  async function readAll(): Promise<void> {
    listed(await client.list({}, asking));
  }

  async function read(id: string): Promise<void> {
    try {
      seen(await client.show({ session: id }, asking));
    } catch (error) {
      if (!hasCode(error, "SESSION_NOT_FOUND")) throw error;
      gone(id);
    }
  }

  const refreshes: SessionRefreshes = {
    all() {
      everything = true;
      void run();
    },
    at(session) {
      wanted.add(session);
      void run();
    },
    after({ type, session_id }) {
      if (LISTS_ANEW.has(type)) refreshes.all();
      else if (typeof session_id === "string") refreshes.at(session_id);
    },
  };
  return refreshes;
}

/** The error of a failed read; `keep` is called where another try may succeed. */
async function attempt(read: () => Promise<void>, keep: () => void): Promise<readonly unknown[]> {
  try {
    await read();
    return [];
  } catch (error) {
    if (!isRefusal(error)) keep();
    return [error];
  }
}

/** Whether the daemon would refuse the same request again. */
function isRefusal(error: unknown): boolean {
  return isTmpmError(error) && error.code !== "TIMEOUT" && ERRORS[error.code].http < 500;
}
