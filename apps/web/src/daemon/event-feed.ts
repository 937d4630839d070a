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

export interface EventFeedOptions {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly onMessage: (parsed: FeedMessage) => void;
  readonly signal: AbortSignal;
  /** Resolves after a delay in ms, or sooner when a retry is worthwhile. */
  readonly pause: (ms: number) => Promise<void>;
  /** Calls back after an idle timeout; returns its cancellation. */
  readonly watch: (late: () => void) => { heard(): void; stop(): void };
}

/** Larger than any event number: a request after it starts with the newest. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/** Follows the daemon's events in one request; after a disconnect it resumes after the last received number. */
export async function followEvents(options: EventFeedOptions): Promise<void> {
  const { onMessage, signal, pause } = options;
  let last: string | null = null;
  for (let failures = 0; !signal.aborted; ) {
    try {
      await once(options, last, (message) => {
        last = message.id ?? last;
        failures = 0;
        const parsed = toFeedMessage(message);
        if (parsed !== null) onMessage(parsed);
      });
      onMessage({ kind: "cut" });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refused) return onMessage({ kind: "refused", status: error.status });
      onMessage({ kind: "cut" });
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

async function once(options: EventFeedOptions, last: string | null, hear: (message: EventMessage) => void): Promise<void> {
  const cut = new AbortController();
  const end = () => cut.abort();
  options.signal.addEventListener("abort", end, { once: true });
  const watch = options.watch(end);
  try {
    const answer = await options.fetch(last === null ? `${options.url}?after=${NEWEST}` : options.url, {
      headers: { accept: "text/event-stream", ...(last === null ? {} : { "last-event-id": last }) },
      signal: cut.signal,
    });
    if (answer.status === 401 || answer.status === 403) throw new Refused(answer.status);
    if (!answer.ok || answer.body === null) throw new TmpmError("DAEMON_UNREACHABLE", `the event stream's response was ${answer.status}`);
    options.onMessage({ kind: "connected" });
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

function toFeedMessage({ kind, data }: EventMessage): FeedMessage | null {
  if (kind === "behind") return { kind: "behind" };
  if (kind !== "message" || data === null) return null;
  // Trusted, because it is the daemon's own data, of the contract `events`.
  return { kind: "event", event: JSON.parse(data) as EventAnswer };
}
