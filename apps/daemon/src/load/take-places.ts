import type { IncomingHttpHeaders } from "node:http";
import { linkedSignal, TmpmError } from "@tmpm/core";
import type { FastifyRequest } from "fastify";
import type { Exchange } from "../requests/exchange.js";
import { LARGE_BODY_BYTES, type LaneName, type Load } from "./load.js";

export interface TakePlacesOptions {
  readonly exchange: Pick<Exchange, "whenOver">;
  readonly load: Load;
  /** Null for a request that is always answered. */
  readonly lane: LaneName | null;
  /** Its body is not buffered in memory. */
  readonly streamed: boolean;
  /** Ends waits for a place when the daemon stops. */
  readonly stopping: AbortSignal;
}

/**
 * Takes a request's places, and releases them when it is answered or aborted. Returns the function to call when its body has arrived.
 * @throws OVERLOADED, SHUTTING_DOWN
 */
export async function takePlaces({ raw: request }: FastifyRequest, options: TakePlacesOptions) {
  const { exchange, load, lane, streamed, stopping } = options;
  if (lane === null) return () => undefined;
  const held: (() => void)[] = [];
  let leave: (() => void) | null = null;
  let over = false;
  exchange.whenOver(() => {
    over = true;
    leave?.();
    for (const give of held) give();
  });
  const queued = (name: LaneName) => {
    const gone = new AbortController();
    leave = () => gone.abort(new TmpmError("OVERLOADED", "the caller no longer waits for the response"));
    const { signal, release } = linkedSignal(gone.signal, stopping);
    return load.enter(name, signal).finally(() => {
      leave = null;
      release();
    });
  };
  const enter = async (name: LaneName) => {
    const give = load.take(name) ?? (await queued(name));
    if (over) give();
    else held.push(give);
    return give;
  };
  await enter(lane);
  return streamed || !isLarge(request.headers) ? () => undefined : enter("bodies");
}

function isLarge(headers: IncomingHttpHeaders): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > LARGE_BODY_BYTES;
}
