import type { EventAnswer } from "@tmpm/api";
import { TmpmError } from "@tmpm/core/errors";
import { type EventMessage, eventMessages } from "./event-messages.js";

export type FeedMessage =
  /** Events arrive: initially, and after a reconnect. */
  | { readonly kind: "connected" }
  | { readonly kind: "cut" }
  /** Earlier events were discarded: reload everything. */
  | { readonly kind: "behind" }
  | { readonly kind: "event"; readonly event: EventAnswer }
  /** It has ended permanently, for example after a logout. */
  | { readonly kind: "refused"; readonly status: number };

/** A message of the feed and the event numbers that it covers: those greater than `after`, up to `last`. Null until a number is known. */
export interface FeedStep {
  /** `alive` only reports progress. */
  readonly message: FeedMessage | { readonly kind: "alive" };
  readonly after: string | null;
  readonly last: string | null;
}

export interface EventFeedOptions {
  readonly url: string;
  /** Number of the last known event; null begins with the newest. */
  readonly after: string | null;
  /** Maximum interval between the daemon's messages, in ms. */
  readonly aliveMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly onStep: (step: FeedStep) => void;
  readonly signal: AbortSignal;
  /** Resolves after a delay in ms, or sooner when a retry is worthwhile. */
  readonly pause: (ms: number) => Promise<void>;
  /** Calls back after an idle timeout; returns its cancellation. */
  readonly watch: (late: () => void) => { heard(): void; stop(): void };
}

/** Larger than any event number: a request after it starts with the newest. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/** Follows the daemon's events in one request; after a disconnect it resumes after the last received number. Resolves when it is refused. */
export async function followEvents(options: EventFeedOptions): Promise<void> {
  const { signal, pause } = options;
  let last = options.after;
  const step = (message: FeedStep["message"], reached: string | null) => {
    const after = last;
    last = reached;
    options.onStep({ message, after, last });
  };
  for (let failures = 0; !signal.aborted; ) {
    try {
      await once(options, last, (message) => {
        if (signal.aborted) return;
        if (message === "connected") return step({ kind: "connected" }, last);
        failures = 0;
        step(toFeedMessage(message, last), message.id ?? last);
      });
      if (signal.aborted) return;
      step({ kind: "cut" }, last);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refused) return step({ kind: "refused", status: error.status }, last);
      step({ kind: "cut" }, last);
    }
    failures += 1;
    await pause(Math.min(150 * 2 ** failures, 3_000));
  }
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

async function once(options: EventFeedOptions, last: string | null, hear: (message: EventMessage | "connected") => void): Promise<void> {
  const cut = new AbortController();
  const end = () => cut.abort();
  options.signal.addEventListener("abort", end, { once: true });
  const watch = options.watch(end);
  const query = new URLSearchParams({ alive_ms: String(options.aliveMs), ...(last === null ? { after: String(NEWEST) } : {}) });
  try {
    const answer = await options.fetch(`${options.url}?${query}`, {
      headers: { accept: "text/event-stream", ...(last === null ? {} : { "last-event-id": last }) },
      signal: cut.signal,
    });
    if (answer.status === 401 || answer.status === 403) throw new Refused(answer.status);
    if (!answer.ok || answer.body === null) throw new TmpmError("DAEMON_UNREACHABLE", `the event stream's response was ${answer.status}`);
    hear("connected");
    const take = eventMessages(hear);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      watch.heard();
      take(value);
    }
  } finally {
    watch.stop();
    options.signal.removeEventListener("abort", end);
    cut.abort();
  }
}

function toFeedMessage({ kind, data }: EventMessage, last: string | null): FeedStep["message"] {
  // A stream that begins with the newest event is always behind, and gets its number that way.
  if (kind === "behind") return { kind: last === null ? "alive" : "behind" };
  if (kind !== "message" || data === null) return { kind: "alive" };
  // Trusted, because it is the daemon's own data, of the contract `events`.
  return { kind: "event", event: JSON.parse(data) as EventAnswer };
}
