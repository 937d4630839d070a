import type { Duplex } from "node:stream";
import { ERRORS, type TmpmError, toErrorBody } from "@tmpm/core";

/** Answers an exchange in the daemon's place: the error in its envelope, as an HTTP answer (RFC 9112). */
export function answerError(exchange: Duplex, error: TmpmError): void {
  const body = JSON.stringify({ error: toErrorBody(error) });
  const head = [
    `HTTP/1.1 ${ERRORS[error.code].http} ${error.code}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  exchange.on("error", () => undefined);
  // What is still sent is taken, or the answer would be lost with the connection.
  exchange.resume();
  exchange.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
