import { TmpmError } from "@tmpm/core/errors";
import { linkedSignal } from "@tmpm/core/linked-signal";
import { errorIn, parseObject } from "./read-error.js";
import type { StreamListener, StreamRequest, StreamSocket, StreamTransport } from "./stream-transport.js";
import { timerMs } from "./timer-ms.js";
import type { Request, Response, Transport } from "./transport.js";
import { piecesOf } from "./upload-bytes.js";

export interface WebTransportOptions {
  /** The daemon's address, such as `http://127.0.0.1:7700`, or the page's own origin. */
  readonly url: string;
  /** For requests. A browser's WebSockets send its login cookie instead. */
  readonly token?: string;
}

/**
 * HTTP over TCP with the APIs of browsers: `fetch` and `WebSocket`. In Node, `tcpTransport` of `@tmpm/api/local` can open streams with a token.
 * @throws DAEMON_UNREACHABLE
 */
export function webTransport({ url, token }: WebTransportOptions): Transport & StreamTransport {
  const request = (asked: Request) => exchange(asked, { url, token });
  return { request, connect: (asked, listener) => connect(asked, { listener, url, request }) };
}

async function exchange(request: Request, { url, token }: { readonly url: string; readonly token: string | undefined }): Promise<Response> {
  const { method, path, headers, timeoutMs, signal } = request;
  signal?.throwIfAborted();
  const late = AbortSignal.timeout(timerMs(timeoutMs));
  const ended = linkedSignal(late, ...(signal === undefined ? [] : [signal]));
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        accept: "application/json",
        ...typeOf(request),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: await bodyOf(request),
      signal: ended.signal,
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    throw new TmpmError("DAEMON_UNREACHABLE", late.aborted ? `no answer within ${timeoutMs} ms` : "the daemon did not answer", {
      effect: method === "GET" ? "none" : "unknown",
      details: { method, path },
      cause: error,
    });
  } finally {
    ended.release();
  }
}

function typeOf({ body, bytes }: Request): Readonly<Record<string, string>> {
  if (bytes !== undefined) return { "content-type": "application/octet-stream" };
  return body === null ? {} : { "content-type": "application/json" };
}

/** Not every browser can stream a request body, so streamed bytes are collected and sent as a whole. */
async function bodyOf({ body, bytes }: Request): Promise<string | Blob | null> {
  if (bytes === undefined) return body;
  if (bytes.value instanceof Blob) return bytes.value;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of piecesOf(bytes.value)) pieces.push(new Uint8Array(piece));
  return new Blob(pieces);
}

interface Connecting {
  readonly listener: StreamListener;
  readonly url: string;
  readonly request: (request: Request) => Promise<Response>;
}

async function connect(asked: StreamRequest, { listener, url, request }: Connecting): Promise<StreamSocket> {
  asked.signal?.throwIfAborted();
  const base = new URL(`${url}${asked.path}`);
  base.protocol = base.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(base);
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }: { readonly data: unknown }) => {
    if (typeof data === "string") listener.message(data);
    else if (data instanceof ArrayBuffer) listener.message(new Uint8Array(data));
  });
  if (!(await opened(socket, asked))) throw await whyNot(asked, request);
  socket.addEventListener("close", () => listener.closed());
  return { send: (text: string) => socket.send(text), close: () => socket.close() };
}

function opened(socket: WebSocket, { timeoutMs, signal }: StreamRequest): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      act();
    };
    const abort = () => {
      socket.close();
      settle(() => reject(signal?.reason));
    };
    const timer = setTimeout(() => socket.close(), timerMs(timeoutMs));
    signal?.addEventListener("abort", abort, { once: true });
    socket.addEventListener("open", () => settle(() => resolve(true)));
    socket.addEventListener("close", () => settle(() => resolve(false)));
    // `error` carries no details, and `close` follows.
    socket.addEventListener("error", () => undefined);
  });
}

/** A browser does not report why a WebSocket was refused; the same request without an upgrade is refused for the same reason. */
async function whyNot({ path, headers, timeoutMs }: StreamRequest, request: Connecting["request"]): Promise<TmpmError> {
  const response = await request({ method: "GET", path, headers, body: null, timeoutMs });
  return (
    errorIn(parseObject(response.body)) ?? new TmpmError("DAEMON_UNREACHABLE", "the daemon did not open a stream", { details: { path } })
  );
}
