import type { Channel, Reply, Request } from "../channel.js";
import { circuitBreaker } from "../circuit-breaker.js";
import { unresponsive } from "../failure.js";
import type { Link } from "./link.js";

export interface ControlChannelOptions {
  readonly link: Link;
  /** One process for each request: while there is no connection, and for what is read from standard input. */
  readonly oneShot: Channel;
  readonly monotonic: () => number;
}

/** Requests go over the connection while there is one. What certainly was not sent there goes by a process instead, never what may have been. */
export function controlChannel({ link, oneShot, monotonic }: ControlChannelOptions): Channel {
  const breaker = circuitBreaker(monotonic);

  async function byProcess(request: Request): Promise<Reply> {
    const reply = await oneShot.ask(request);
    if (reply.kind === "answered") link.serverRuns();
    return reply;
  }

  async function byConnection(request: Request): Promise<Reply> {
    if (!breaker.admits()) return { kind: "unanswered", error: unresponsive("tmux did not answer the last calls", "none") };
    const reply = await link.ask(request);
    if (reply.kind !== "unanswered") breaker.answered();
    else if (link.isUp()) breaker.timedOut();
    else if (request.kind === "read") return byProcess(request);
    return reply;
  }

  return {
    ask: (request) => (link.isUp() && request.input === undefined ? byConnection(request) : byProcess(request)),
  };
}
