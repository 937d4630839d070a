import type { IncomingMessage } from "node:http";

/** A name that the caller gave the exchange, for its own logs; also in the answer and in ours. */
export const CALLERS_ID_HEADER = "x-request-id";

/** Null when it gave none, or one that might be mistaken for something else where it is printed. */
export function callersId({ headers }: Pick<IncomingMessage, "headers">): string | null {
  const id = headers[CALLERS_ID_HEADER];
  return typeof id === "string" && /^[\w.:+/=-]{1,128}$/.test(id) ? id : null;
}
