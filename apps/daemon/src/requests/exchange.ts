import type { IncomingMessage, ServerResponse } from "node:http";
import { linkedSignal, type TmpmError } from "@tmpm/core";
import type { AskedRoute } from "../audit/audit-requests.js";

/** The data of one request in progress. */
export interface Exchange {
  /** The route's name in the audit log; null before the route is known. */
  asked: AskedRoute | null;
  failure: TmpmError | null;
  /** Releases the place of its body. */
  bodyArrived: (() => void) | null;
  /** Called once when its connection no longer needs a response: it was sent, or the caller went away. */
  whenOver(act: () => void): void;
  /**
   * Aborted when the caller goes away or `stopping` is. Created on first use, because most requests never need it, and creating it costs more than the
   * rest of a short response.
   */
  signal(stopping: AbortSignal): AbortSignal;
}

export interface Exchanges {
  of(request: IncomingMessage): Exchange;
  begin(request: IncomingMessage, response: ServerResponse): Exchange;
}

/** One listener and one entry per request, for any number of later users. */
export function exchanges(): Exchanges {
  const known = new WeakMap<IncomingMessage, Exchange>();
  return {
    of(request) {
      const exchange = known.get(request);
      if (exchange === undefined) throw new Error("a request was answered before it began");
      return exchange;
    },
    begin(request, response) {
      const exchange = newExchange(response);
      known.set(request, exchange);
      return exchange;
    },
  };
}

function newExchange(response: ServerResponse): Exchange {
  const acts: (() => void)[] = [];
  let isOver = false;
  let made: AbortSignal | null = null;
  const whenOver = (act: () => void) => {
    if (isOver) act();
    else acts.push(act);
  };
  response.once("close", () => {
    isOver = true;
    for (const act of acts) act();
  });
  return {
    asked: null,
    failure: null,
    bodyArrived: null,
    whenOver,
    signal(stopping) {
      if (made !== null) return made;
      const gone = new AbortController();
      const { signal, release } = linkedSignal(gone.signal, stopping);
      whenOver(() => {
        if (!response.writableFinished) gone.abort();
        release();
      });
      made = signal;
      return signal;
    },
  };
}
