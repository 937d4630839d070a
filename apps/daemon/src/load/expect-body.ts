import { TmpmError } from "@tmpm/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import { answerError } from "../requests/answer-error.js";
import type { Exchange } from "../requests/exchange.js";
import { bodyDeadline } from "./body-deadline.js";

export interface ExpectBodyOptions {
  readonly reply: FastifyReply;
  readonly exchange: Pick<Exchange, "failure">;
  /** Request body idle timeout, in ms (default: 10,000). */
  readonly bodyIdleMs?: number | undefined;
  /** Request body timeout, in ms (default: 120,000). */
  readonly bodyTotalMs?: number | undefined;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

const BODY_IDLE_MS = 10_000;
const BODY_TOTAL_MS = 120_000;

/** A stalled body gets a response, because its sender may still be reading. */
export function expectBody({ raw }: FastifyRequest, options: ExpectBodyOptions): void {
  const { reply, exchange, bodyIdleMs = BODY_IDLE_MS, bodyTotalMs = BODY_TOTAL_MS, report } = options;
  bodyDeadline(raw, {
    idleMs: bodyIdleMs,
    totalMs: bodyTotalMs,
    late(reason) {
      if (reply.sent) return;
      const error = new TmpmError("TIMEOUT", reason, { hint: "Send it again." });
      exchange.failure = error;
      answerError(reply.header("connection", "close"), { error, report });
    },
  });
}
