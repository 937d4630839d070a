import { connect } from "node:net";
import { dirname } from "node:path";
import { TmpmError } from "@tmpm/core/errors";
import type { Request, Response, Transport } from "../transport.js";
import { BadResponse } from "./bad-response.js";
import { currentUid } from "./current-location.js";
import { notRunning } from "./not-running.js";
import { checkPrivateDir } from "./private-dir.js";
import { responseReader } from "./response-reader.js";

export interface LocalTransportOptions {
  readonly socket: string;
  /** The largest body that an answer may have; 64 MiB when not given. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * HTTP/1.1 over a unix socket, one connection per request. Before it connects it checks that the socket's folder is private.
 * Loads `node:net` only: `node:http` costs a fifth of a process start.
 * @throws UNSAFE_PATH, DAEMON_UNREACHABLE
 */
export function localTransport({ socket, maxBytes = MAX_BYTES }: LocalTransportOptions): Transport {
  return {
    async request(request) {
      if (!checkPrivateDir(dirname(socket), currentUid())) throw notRunning(socket);
      return exchange(request, { socket, maxBytes });
    },
  };
}

function exchange(request: Request, { socket: path, maxBytes }: { socket: string; maxBytes: number }): Promise<Response> {
  return new Promise((resolve, reject) => {
    const reader = responseReader({ maxBytes });
    const socket = connect({ path });
    let sent = false;

    function settle(act: () => void): void {
      clearTimeout(timer);
      socket.destroy();
      act();
    }
    function fail(problem: string, cause?: unknown): void {
      settle(() => reject(unreachable(problem, { request, sent, cause })));
    }
    function read(step: () => Response | null): void {
      try {
        const response = step();
        if (response !== null) settle(() => resolve(response));
      } catch (error) {
        if (!(error instanceof BadResponse)) settle(() => reject(error));
        else fail(error.message, error);
      }
    }

    const timer = setTimeout(() => fail(`no answer within ${request.timeoutMs} ms`), request.timeoutMs);
    socket.on("connect", () => {
      sent = true;
      socket.write(serialize(request));
    });
    socket.on("data", (chunk) => read(() => reader.push(chunk)));
    socket.on("end", () => read(() => reader.end()));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (sent) fail(`the connection broke (${error.code ?? error.message})`, error);
      else settle(() => reject(connectError(path, error)));
    });
  });
}

function serialize({ method, path, headers, body }: Request): string {
  const fields = { Host: "localhost", Connection: "close", Accept: "application/json", ...headers, ...bodyHeaders(body) };
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

/** A request that only reads has no effect, so it may always be repeated. */
function unreachable(problem: string, { request, sent, cause }: { request: Request; sent: boolean; cause: unknown }): TmpmError {
  return new TmpmError("DAEMON_UNREACHABLE", `the daemon did not answer: ${problem}`, {
    effect: sent && request.method !== "GET" ? "unknown" : "none",
    hint: "Look at `tmpm daemon logs`; `tmpm daemon restart` replaces the daemon, and sessions keep running.",
    details: { method: request.method, path: request.path, reason: "no_answer" },
    ...(cause === undefined ? {} : { cause }),
  });
}
