import type { IncomingMessage } from "node:http";
import { connect as connectTo } from "node:net";
import { TmpmError } from "@tmpm/core/errors";
import type { ClientOptions, RawData, WebSocket } from "ws";
import { errorIn, parseObject } from "../read-error.js";
import type { StreamListener, StreamRequest, StreamSocket } from "../stream-transport.js";
import { timerMs } from "../timer-ms.js";

/** The daemon's listener: a unix socket, or an address. */
export type StreamTarget = { readonly socket: string } | { readonly url: string };

const MOST_MESSAGE = 16 * 1024 * 1024;
const MOST_REFUSAL = 64 * 1024;

/** @throws DAEMON_UNREACHABLE, and the daemon's error response in place of a stream */
export async function openStreamSocket(
  request: StreamRequest,
  how: { readonly target: StreamTarget; readonly listener: StreamListener },
): Promise<StreamSocket> {
  const { target, listener } = how;
  // Loaded when a stream is opened, because other commands do not need it.
  const { WebSocket: Web } = await import("ws");
  request.signal?.throwIfAborted();
  const options: ClientOptions = {
    headers: { ...request.headers },
    handshakeTimeout: timerMs(request.timeoutMs),
    perMessageDeflate: false,
    maxPayload: MOST_MESSAGE,
    ...("socket" in target ? { createConnection: () => connectTo({ path: target.socket }) } : {}),
  };
  const web = new Web(`${"url" in target ? target.url.replace(/^http/, "ws") : "ws://localhost"}${request.path}`, options);
  web.on("message", (data, binary) => listener.message(binary ? bytesOf(data) : data.toString()));
  await opened(web, request);
  web.on("close", listener.closed);
  if (web.readyState === web.CLOSED) queueMicrotask(listener.closed);
  return { send: (text) => web.send(text, () => undefined), close: () => close(web) };
}

function opened(web: WebSocket, { path, signal }: StreamRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      signal?.removeEventListener("abort", abort);
      act();
    };
    const abort = () => {
      settle(() => reject(signal?.reason));
      web.terminate();
    };
    signal?.addEventListener("abort", abort, { once: true });
    web.on("open", () => settle(resolve));
    web.on("unexpected-response", (_, response) => {
      refusalOf(response, path).then(
        (error) => settle(() => reject(error)),
        (error: unknown) => settle(() => reject(unreachable(path, error))),
      );
    });
    // Once the stream is open, `close` reports a broken connection.
    web.on("error", (error) => settle(() => reject(unreachable(path, error))));
  });
}

async function refusalOf(response: IncomingMessage, path: string): Promise<TmpmError> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    size += part.length;
    if (size > MOST_REFUSAL) break;
    parts.push(part);
  }
  return errorIn(parseObject(Buffer.concat(parts).toString())) ?? unreachable(path, new Error(`status ${response.statusCode}`));
}

function unreachable(path: string, cause: unknown): TmpmError {
  return new TmpmError(
    "DAEMON_UNREACHABLE",
    `the daemon did not open a stream: ${cause instanceof Error ? cause.message : "the connection failed"}`,
    {
      details: { path },
      cause,
    },
  );
}

/** Limits the time of the closing handshake. */
function close(web: WebSocket): void {
  web.close();
  setTimeout(() => web.terminate(), 1_000).unref();
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
