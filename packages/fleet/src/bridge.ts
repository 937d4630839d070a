import type { Duplex } from "node:stream";
import { isTmpmError, TmpmError } from "@tmpm/core";
import { answerError } from "./answer-error.js";
import { bodyOnly } from "./request-body.js";
import { HEAD_END, MOST_HEAD, type PassedHead, passedHead } from "./request-head.js";

export interface BridgeOptions {
  /** A connection to the daemon at this end, which is started first if it does not run. */
  readonly connect: () => Promise<Duplex>;
  /** Rights of the caller; null for those of the user at this end. */
  readonly token: string | null;
}

/** Passes each exchange of a link to the daemon at this end. */
export function bridge({ connect, token }: BridgeOptions): (exchange: Duplex) => void {
  return (exchange) => {
    exchange.on("error", () => undefined);
    let pending = Buffer.alloc(0);
    const take = (piece: Uint8Array) => {
      pending = Buffer.concat([pending, piece]);
      const end = pending.indexOf(HEAD_END);
      if (end < 0 && pending.length <= MOST_HEAD) return;
      exchange.off("data", take);
      exchange.pause();
      const passed = end < 0 ? null : passedHead(pending.toString("latin1", 0, end), { token });
      if (passed === null) answerError(exchange, malformed());
      else void pass(exchange, { connect, passed, rest: pending.subarray(end + HEAD_END.length) });
    };
    exchange.on("data", take);
  };
}

interface Passing {
  readonly connect: () => Promise<Duplex>;
  readonly passed: PassedHead;
  /** Bytes that arrived with the head. */
  readonly rest: Uint8Array;
}

async function pass(exchange: Duplex, { connect, passed, rest }: Passing): Promise<void> {
  try {
    const daemon = await connect();
    // The request of a caller that has left has no effect yet.
    if (exchange.destroyed) return void daemon.destroy();
    daemon.write(Buffer.from(`${passed.head}${HEAD_END}`, "latin1"));
    const body = bodyOnly(passed.framing, { switched: switchedProtocols(daemon) });
    body.write(rest);
    follow(exchange, body);
    follow(body, daemon);
    follow(daemon, exchange);
    // The rest of the request is read, so that the exchange ends.
    daemon.on("close", () => body.resume());
  } catch (error) {
    answerError(exchange, isTmpmError(error) ? error : unreachable(error));
  }
}

/** Whether the daemon's answer is `101 Switching Protocols`; false when none comes. */
function switchedProtocols(daemon: Duplex): Promise<boolean> {
  const wanted = "HTTP/1.1 101 ";
  let start = "";
  return new Promise((settle) => {
    const take = (piece: Uint8Array) => {
      start += Buffer.from(piece).toString("latin1", 0, wanted.length - start.length);
      if (start.length < wanted.length) return;
      daemon.off("data", take);
      settle(start === wanted);
    };
    daemon.on("data", take);
    daemon.on("close", () => settle(false));
  });
}

/** Each gets the other's output; a failure of one is a failure of the other. */
export function joined(one: Duplex, other: Duplex): void {
  follow(one, other);
  follow(other, one);
}

function follow(from: Duplex, to: Duplex): void {
  if (from.destroyed && !from.readableEnded) return void to.destroy();
  from.on("error", (error) => to.destroy(error));
  from.on("close", () => {
    if (!from.readableEnded) to.destroy();
  });
  from.pipe(to);
}

function malformed(): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", "the data received over the link is not a request");
}

function unreachable(cause: unknown): TmpmError {
  return new TmpmError("DAEMON_UNREACHABLE", "the daemon at the node cannot be reached", { cause });
}
