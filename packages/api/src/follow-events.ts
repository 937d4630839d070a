import { hasCode } from "@tmpm/core/errors";
import type { CallOptions, Client } from "./client.js";
import type { EventAnswer, Input, Output } from "./contracts.js";

export type FollowedEvent =
  | { readonly kind: "event"; readonly event: EventAnswer }
  /** Events before this number are no longer retained: read the complete state again. Later events follow. */
  | { readonly kind: "behind"; readonly snapshot_at: number };

export type EventsWanted = Omit<Input<"events">, "wait_ms">;

export interface FollowOptions {
  /** Stops following, which throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Maximum consecutive retries while the daemon does not respond, with a delay that grows to 2 seconds; default 60. */
  readonly attempts?: number;
  readonly sleep?: (ms: number) => Promise<void>;
}

type EventsClient = Pick<Client, "events">;

const WAIT_MS = 20_000;
const ANSWER_MS = 15_000;

/** The existing events only; `behind` comes first if some of the requested ones were discarded. */
export async function* keptEvents(client: EventsClient, wanted: EventsWanted = {}): AsyncGenerator<FollowedEvent> {
  for (let after = wanted.after; ; ) {
    const page = await client.events(from(wanted, after));
    yield* followed(page);
    if (page.next === after) return;
    after = page.next;
  }
}

/**
 * The existing events and all later ones, each once and in order, until the loop is left. Continues after a lost connection and a restart of the daemon.
 * @throws the daemon's error; DAEMON_UNREACHABLE if it does not respond after all retries
 */
export async function* followEvents(
  client: EventsClient,
  wanted: EventsWanted = {},
  options: FollowOptions = {},
): AsyncGenerator<FollowedEvent> {
  for (let after = wanted.after; ; ) {
    const page = await patiently(() => client.events({ ...from(wanted, after), wait_ms: WAIT_MS }, callOptions(options)), options);
    after = page.next;
    yield* followed(page);
  }
}

function from(wanted: EventsWanted, after: EventsWanted["after"]): EventsWanted {
  return after === undefined ? wanted : { ...wanted, after };
}

function callOptions({ signal }: FollowOptions): CallOptions {
  return { timeoutMs: WAIT_MS + ANSWER_MS, ...(signal === undefined ? {} : { signal }) };
}

async function patiently<T>(ask: () => Promise<T>, { signal, attempts = 60, sleep = pause }: FollowOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (attempt >= attempts || !hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN", "OVERLOADED")) throw error;
      await sleep(Math.min(100 * attempt, 2_000));
    }
  }
}

function* followed({ events, behind }: Output<"events">): Generator<FollowedEvent> {
  if (behind !== null) yield { kind: "behind", snapshot_at: behind.snapshot_at };
  for (const event of events) yield { kind: "event", event };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
