import type { IncomingMessage } from "node:http";

/** The caller's id for the exchange, for its own logs; also in the response and in tmpm's logs. */
export const CALLERS_ID_HEADER = "x-request-id";

/** Null without one, or for one that is unsafe to print. */
export function callersId({ headers }: Pick<IncomingMessage, "headers">): string | null {
  const id = headers[CALLERS_ID_HEADER];
  return typeof id === "string" && /^[\w.:+/=-]{1,128}$/.test(id) ? id : null;
}
