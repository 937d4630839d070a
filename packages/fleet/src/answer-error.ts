import type { Duplex } from "node:stream";
import { ERRORS, type TmpmError, toErrorBody } from "@tmpm/core";

/** Answers an exchange in place of the daemon: the error in its envelope, as an HTTP response (RFC 9112). */
export function answerError(exchange: Duplex, error: TmpmError): void {
  const body = JSON.stringify({ error: toErrorBody(error) });
  const head = [
    `HTTP/1.1 ${ERRORS[error.code].http} ${error.code}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  exchange.on("error", () => undefined);
  // The rest of the request is read, because the response would be lost with the connection otherwise.
  exchange.resume();
  exchange.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
