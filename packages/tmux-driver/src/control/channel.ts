import { inTime } from "@tmpm/processes";
import { unresponsive } from "../failure.js";
import type { Channel, Reply, Request } from "../transport/channel.js";
import { circuitBreaker } from "../transport/circuit-breaker.js";
import { carriedInput } from "./carried-input.js";
import type { Link } from "./link.js";

export interface ControlChannelOptions {
  readonly link: Link;
  /** One process for each request: while there is no connection. */
  readonly oneShot: Channel;
  readonly monotonic: () => number;
  /** Milliseconds that the reads of a start wait for the connection. */
  readonly patienceMs: number;
  /** A unique word. */
  readonly nonce: () => string;
  /** A folder of our own, for text that the server reads. */
  readonly folder: string;
}

/**
 * Sends requests over the connection if there is one. A request that was certainly not sent goes to a process instead; one that may have
 * been does not.
 */
export function controlChannel({ link, oneShot, monotonic, patienceMs, nonce, folder }: ControlChannelOptions): Channel {
  const breaker = circuitBreaker(monotonic);
  link.onEvent(({ type }) => {
    if (type === "late") breaker.answered();
  });

  async function byProcess(request: Request): Promise<Reply> {
    const reply = await oneShot.ask(request);
    if (reply.kind === "answered") link.serverRuns();
    return reply;
  }

  async function byConnection(request: Request): Promise<Reply> {
    if (!breaker.admits()) return { kind: "unanswered", error: unresponsive("tmux did not answer the last calls", "none") };
    const reply = await link.ask(request);
    if (reply.kind !== "unanswered") breaker.answered();
    else if (!link.isUp()) return request.kind === "read" ? byProcess(request) : reply;
    else if (reply.error.code === "TMUX_UNRESPONSIVE") breaker.timedOut();
    return reply;
  }

  async function withInput(request: Request): Promise<Reply> {
    const carried = await carriedInput(request, { folder, word: nonce() });
    if (carried === null || !link.isUp()) {
      await carried?.release();
      return byProcess(request);
    }
    const reply = await byConnection({ ...withoutInput(request), commands: carried.commands });
    await carried.release();
    return reply;
  }

  let isContacted = false;
  /** The reply of the first process, once the connection is up, could not be made, or takes too long. */
  let contact: Promise<Reply> | null = null;

  /** A daemon that starts reads many things at once: one process finds the server, and the rest share the connection. */
  async function atFirst(request: Request): Promise<Reply> {
    if (contact === null) {
      const reply = byProcess(request);
      contact = settled(reply);
      // The first reader gets its failure.
      contact.catch(() => undefined);
      return reply;
    }
    const first = await contact;
    // If one process gets no answer, none does.
    return first.kind === "unanswered" ? first : now(request);
  }

  async function settled(reply: Promise<Reply>): Promise<Reply> {
    try {
      if ((await reply).kind === "answered") await inTime(link.attempted(), patienceMs);
    } finally {
      isContacted = true;
    }
    return reply;
  }

  function now(request: Request): Promise<Reply> {
    if (!link.isUp()) return byProcess(request);
    return request.input === undefined ? byConnection(request) : withInput(request);
  }

  return {
    ask: (request) => (isContacted || link.isUp() || request.kind === "mutate" ? now(request) : atFirst(request)),
  };
}

function withoutInput({ input: _input, ...rest }: Request): Request {
  return rest;
}
