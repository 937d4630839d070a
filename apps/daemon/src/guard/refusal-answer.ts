import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { VERSION_HEADER } from "@tmpm/api";
import { ERRORS, toErrorBody } from "@tmpm/core";
import { ANSWER_HEADERS, errorHeaders, REQUEST_ID_HEADER } from "./headers.js";
import type { Refused } from "./refused.js";

export interface RefusalAnswerOptions extends Refused {
  readonly version: string;
  readonly requestId: string;
  /** In place of the error's own. */
  readonly status?: number;
}

/** Responds to a refused request and ends its connection, because further data on it cannot be trusted. */
export function answerRefusal(response: ServerResponse, options: RefusalAnswerOptions): void {
  const { status, headers, body } = parts(options);
  response.writeHead(status, { ...headers });
  response.end(body);
}

/** Maximum time for which the rest of an already answered request is still read: closing earlier would lose the response. */
const LATE_MS = 250;

/** The same for an upgrade, which has only a connection. */
export function answerUpgradeRefusal(connection: Duplex, options: RefusalAnswerOptions): void {
  const { status, headers, body } = parts(options);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  connection.on("error", () => connection.destroy());
  connection.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("\r\n")}\r\n\r\n${body}`, () => {
    connection.resume().once("end", () => connection.destroy());
    setTimeout(() => connection.destroy(), LATE_MS).unref();
  });
}

function parts({ error, headers = {}, version, requestId, status }: RefusalAnswerOptions) {
  const body = JSON.stringify({ error: toErrorBody(error) });
  return {
    status: status ?? ERRORS[error.code].http,
    body,
    headers: {
      ...ANSWER_HEADERS,
      [VERSION_HEADER]: version,
      [REQUEST_ID_HEADER]: requestId,
      ...errorHeaders(error),
      ...headers,
      "content-type": "application/json; charset=utf-8",
      "content-length": String(Buffer.byteLength(body)),
      connection: "close",
    },
  };
}
