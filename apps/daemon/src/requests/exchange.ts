import type { IncomingMessage, ServerResponse } from "node:http";
import { linkedSignal, type TmpmError } from "@tmpm/core";
import type { AskedRoute } from "../audit/audit-requests.js";

/** The data of one request in progress. */
export interface Exchange {
  /** The caller's own exchange, for a request made on its behalf. */
  first: Exchange | null;
  /** The route's name in the audit log; null before the route is known. */
  asked: AskedRoute | null;
  failure: TmpmError | null;
  /** Releases the place of its body. */
  bodyArrived: (() => void) | null;
  /** Called once when its connection no longer needs a response: it was sent, or the caller went away. */
  whenOver(act: () => void): void;
  /** Whether the whole response left this process: for a request on behalf of another, that one's response. To be called before the response; resolves after it. */
  received(): Promise<boolean>;
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
  const exchange: Exchange = {
    first: null,
    asked: null,
    failure: null,
    bodyArrived: null,
    whenOver,
    received: () => exchange.first?.received() ?? isSent(response, whenOver),
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
  return exchange;
}

/** `writableFinished` would also be true for a response that was ended after its connection broke. */
function isSent(response: ServerResponse, whenOver: Exchange["whenOver"]): Promise<boolean> {
  return new Promise((resolve) => {
    let sent = false;
    response.once("finish", () => {
      sent = true;
    });
    whenOver(() => resolve(sent));
  });
}
