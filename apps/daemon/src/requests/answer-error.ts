import { ERRORS, MAX_TEXT_BYTES, TmpmError, toErrorBody } from "@tmpm/core";
import type { FastifyError, FastifyReply } from "fastify";
import { errorHeaders } from "../guard/headers.js";

/** JSON escapes a line feed as two bytes, so a body may be twice its text, plus a margin. */
export const BODY_LIMIT = 2 * MAX_TEXT_BYTES + 64 * 1024;

export function answerError(
  reply: FastifyReply,
  fault: {
    readonly error: FastifyError | TmpmError;
    readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  },
): void {
  const error = asTmpmError(fault.error);
  if (error.code === "INTERNAL") fault.report({ doing: "answering a request", error: fault.error });
  reply.headers(errorHeaders(error));
  reply.code(ERRORS[error.code].http).send({ error: toErrorBody(error) });
}

export function asTmpmError(error: FastifyError | TmpmError): TmpmError {
  if (error instanceof TmpmError) return error;
  if (error.statusCode === 413)
    return new TmpmError("TEXT_TOO_LARGE", "the request's body is too large", { details: { limit: BODY_LIMIT } });
  if (error.statusCode !== undefined && error.statusCode < 500) return new TmpmError("INVALID_ARGUMENT", error.message);
  return new TmpmError("INTERNAL", "the daemon failed to handle the request", { effect: "unknown", hint: "See the daemon's log." });
}
