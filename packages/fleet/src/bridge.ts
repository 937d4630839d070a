import type { Duplex } from "node:stream";
import { isTmpmError, TmpmError } from "@tmpm/core";
import { answerError } from "./answer-error.js";
import { HEAD_END, MOST_HEAD, passedHead } from "./request-head.js";

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
      const head = end < 0 ? null : passedHead(pending.toString("latin1", 0, end), { token });
      if (head === null) answerError(exchange, malformed());
      else void pass(exchange, { connect, begin: Buffer.concat([Buffer.from(`${head}${HEAD_END}`, "latin1"), pending.subarray(end + 4)]) });
    };
    exchange.on("data", take);
  };
}

interface Passed {
  readonly connect: () => Promise<Duplex>;
  readonly begin: Uint8Array;
}

async function pass(exchange: Duplex, { connect, begin }: Passed): Promise<void> {
  try {
    const daemon = await connect();
    daemon.write(begin);
    joined(exchange, daemon);
  } catch (error) {
    answerError(exchange, isTmpmError(error) ? error : unreachable(error));
  }
}

/** Each gets the other's output; a failure of one is a failure of the other. */
export function joined(one: Duplex, other: Duplex): void {
  const follow = (from: Duplex, to: Duplex) => {
    from.on("error", (error) => to.destroy(error));
    from.on("close", () => {
      if (!from.readableEnded) to.destroy();
    });
    from.pipe(to);
  };
  follow(one, other);
  follow(other, one);
}

function malformed(): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", "what came over the link is not a request");
}

function unreachable(cause: unknown): TmpmError {
  return new TmpmError("DAEMON_UNREACHABLE", "the daemon at the node cannot be reached", { cause });
}
