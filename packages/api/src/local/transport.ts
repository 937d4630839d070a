import { lstatSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { TmpmError } from "@tmpm/core/errors";
import type { StreamTransport } from "../stream-transport.js";
import { timerMs } from "../timer-ms.js";
import type { Request, Response, Transport } from "../transport.js";
import { BadResponse } from "./bad-response.js";
import { currentUid } from "./current-location.js";
import { checkPrivateDir } from "./private-dir.js";
import { responseReader } from "./response-reader.js";
import { bytesHeaders, sendBytes } from "./send-bytes.js";
import { openStreamSocket } from "./stream-socket.js";
import { type Failure, notRunning, unanswered } from "./unreachable.js";

export interface LocalTransportOptions {
  readonly socket: string;
  /** Maximum size of a response body; default 64 MiB. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * HTTP/1.1 over a unix socket, one connection per request. Before it connects it checks that the socket's folder is private.
 * Loads `node:net` only: `node:http` costs a fifth of a process start.
 * @throws UNSAFE_PATH, DAEMON_UNREACHABLE
 */
export function localTransport({ socket, maxBytes = MAX_BYTES }: LocalTransportOptions): Transport & StreamTransport {
  return {
    async connect(request, listener) {
      requireSocket(socket);
      return openStreamSocket(request, { target: { socket }, listener });
    },
    async request(request) {
      request.signal?.throwIfAborted();
      requireSocket(socket);
      return exchange(request, { socket, maxBytes });
    },
  };
}

/** Never sends a request to anything else in the socket's place, such as a link to another daemon's socket. @throws UNSAFE_PATH, DAEMON_UNREACHABLE */
function requireSocket(path: string): void {
  if (!checkPrivateDir(dirname(path), currentUid())) throw notRunning(path);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw notRunning(path);
  if (stats.isSocket() && stats.uid === currentUid() && stats.nlink === 1) return;
  const fault = stats.isSocket() ? "is another daemon's socket" : "is not a socket";
  throw new TmpmError("UNSAFE_PATH", `${path} ${fault}`, {
    hint: `Move it aside: mv ${path} ${path}.aside`,
    details: { path },
  });
}

function exchange(request: Request, { socket: path, maxBytes }: { socket: string; maxBytes: number }): Promise<Response> {
  return new Promise((resolve, reject) => {
    const reader = responseReader({ maxBytes });
    const socket = connect({ path });
    let sent = false;

    function settle(act: () => void): void {
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", abort);
      socket.destroy();
      act();
    }
    function fail(problem: string, { reason, cause }: Pick<Failure, "reason" | "cause">): void {
      settle(() => reject(unanswered(problem, { request, reason, sent, cause })));
    }
    function abort(): void {
      settle(() => reject(request.signal?.reason));
    }
    function read(step: () => Response | null, reason: Failure["reason"]): void {
      try {
        const response = step();
        if (response !== null) settle(() => resolve(response));
      } catch (error) {
        if (!(error instanceof BadResponse)) settle(() => reject(error));
        else fail(error.message, { reason, cause: error });
      }
    }

    const timer = setTimeout(() => fail(`no answer within ${request.timeoutMs} ms`, { reason: "no_answer" }), timerMs(request.timeoutMs));
    request.signal?.addEventListener("abort", abort, { once: true });
    socket.on("connect", () => {
      sent = true;
      socket.write(serialize(request));
      if (request.bytes !== undefined) sendBytes(socket, request.bytes).catch((error: unknown) => settle(() => reject(error)));
    });
    socket.on("data", (chunk) => read(() => reader.push(chunk), "bad_answer"));
    socket.on("end", () => read(() => reader.end(), "connection_lost"));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (sent) fail(`the connection failed (${error.code ?? error.message})`, { reason: "connection_lost", cause: error });
      else settle(() => reject(connectError(path, error)));
    });
  });
}

function serialize({ method, path, headers, body: text, bytes }: Request): string {
  const body = bytes === undefined ? text : null;
  const fields = {
    Host: "localhost",
    Connection: "close",
    Accept: "application/json",
    ...headers,
    ...(bytes === undefined ? bodyHeaders(body) : bytesHeaders(bytes)),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

function bodyHeaders(body: string | null): Record<string, string> {
  return body === null ? {} : { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) };
}

function connectError(socket: string, error: NodeJS.ErrnoException): TmpmError {
  if (error.code === "ENOENT" || error.code === "ECONNREFUSED") return notRunning(socket, error);
  return new TmpmError("DAEMON_UNREACHABLE", `cannot connect to the daemon at ${socket} (${error.code ?? error.message})`, {
    details: { socket, reason: error.code ?? null },
    cause: error,
  });
}
