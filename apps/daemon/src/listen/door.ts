import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { MOST_HEADER_BYTES, requestTooLong } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import type { FastifyInstance } from "fastify";
import type { Entrance } from "../guard/entrance.js";
import type { Guard } from "../guard/guard.js";
import { answerRefusal, answerUpgradeRefusal } from "../guard/refusal-answer.js";
import { overloaded } from "../load/lane.js";
import { type Descriptors, descriptors } from "./descriptors.js";
import { newcomers } from "./newcomers.js";
import { silentClients } from "./open-server.js";

export interface DoorOptions {
  /** A server that does not listen itself: admitted requests go to its routes, upgrades to the `upgrade` listeners of its server. */
  readonly app: FastifyInstance;
  readonly guard: Guard;
  readonly version: string;
  /** Called once the address is known. */
  readonly entrance: () => Entrance;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** Reachable by any user of the machine, or of the network. */
  readonly isPublic?: boolean;
  /** If not public: maximum number of connections, default 1,024. */
  readonly maxConnections?: number | undefined;
  /** Request header timeout. */
  readonly headersMs?: number | undefined;
  readonly files?: Descriptors | undefined;
}

/** Limits of a public door (reliability C4). */
const MAX_CONNECTIONS = 256;
const MAX_STRANGERS = 64;

const HEADERS_MS = 5_000;
/** For files, which may be large; other bodies have a shorter timeout of their own. */
const UPLOAD_MS = 3_600_000;

/** Limits on the unix socket, whose connections all belong to the user: excess ones are asked to retry. */
const MAX_ON_SOCKET = 1_024;

/** An HTTP server behind the guard. Requests reach a route, a body or an upgrade only after admission. */
export function door(options: DoorOptions): Server {
  const {
    app,
    guard,
    version,
    entrance,
    tls = null,
    isPublic = false,
    maxConnections = MAX_ON_SOCKET,
    headersMs = HEADERS_MS,
    files = descriptors(),
  } = options;
  const checking = { headersTimeout: headersMs, connectionsCheckingInterval: Math.min(2_000, headersMs) };
  const limits = { ...checking, requestTimeout: UPLOAD_MS, maxHeaderSize: MOST_HEADER_BYTES };
  const server =
    tls === null ? createServer(limits) : createTlsServer({ ...limits, ...tls, minVersion: "TLSv1.2", handshakeTimeout: 10_000 });
  const strangers = newcomers(MAX_STRANGERS);
  /** Data after a refused request is not read. */
  const refused = new WeakSet<Duplex>();

  /** Requests whose body is sent only after `100 Continue`. */
  const expecting = new WeakSet<IncomingMessage>();

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    if (refused.has(request.socket)) return;
    const verdict = guard.admit(request, { entrance: entrance(), upgrade: false });
    if (verdict.kind === "refused") {
      refused.add(request.socket);
      answerRefusal(response, { ...verdict, version });
      return;
    }
    guard.whenProven(request, () => strangers.known(request.socket));
    if (expecting.has(request)) response.writeContinue();
    app.routing(request, response);
  }

  /** Node emits no `request` for these, which everything that counts requests listens to. An unknown expectation is ignored (RFC 9110, 10.1.1). */
  function onExpectation(request: IncomingMessage, response: ServerResponse): void {
    server.emit("request", request, response);
  }

  function onContinue(request: IncomingMessage, response: ServerResponse): void {
    expecting.add(request);
    onExpectation(request, response);
  }

  function onUpgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    if (refused.has(connection)) return;
    const verdict = guard.admit(request, { entrance: entrance(), upgrade: true });
    if (verdict.kind === "refused") {
      answerUpgradeRefusal(connection, { ...verdict, version });
      return;
    }
    guard.whenProven(request, () => strangers.known(request.socket));
    if (!app.server.emit("upgrade", request, connection, head)) {
      const error = new TmpmError("ROUTE_NOT_FOUND", "upgrades are not supported here");
      answerUpgradeRefusal(connection, { error, requestId: verdict.requestId, version });
    }
  }

  const silent = silentClients(server);
  let open = 0;
  function count(connection: Duplex): void {
    open += 1;
    connection.once("close", () => {
      open -= 1;
    });
    if (open > maxConnections) turnAway(connection, overloaded({ connections: maxConnections }));
    else if (files.isShort() && !makeRoom(connection)) turnAway(connection, noMoreFiles());
  }

  /** Closes a connection without a pending request, to make room for a new request. */
  function makeRoom(newest: Duplex): boolean {
    for (const client of silent) {
      if (client === newest || client.destroyed) continue;
      client.destroy();
      return true;
    }
    return false;
  }

  function turnAway(connection: Duplex, error: TmpmError): void {
    refused.add(connection);
    answerUpgradeRefusal(connection, { error, requestId: randomUUID(), version });
  }

  server.on(tls === null ? "connection" : "secureConnection", count);
  if (isPublic) {
    server.maxConnections = MAX_CONNECTIONS;
    // Also before a TLS handshake.
    server.on("connection", strangers.came);
  }
  return server
    .on("request", onRequest)
    .on("checkContinue", onContinue)
    .on("checkExpectation", onExpectation)
    .on("upgrade", onUpgrade)
    .on("clientError", (error: NodeJS.ErrnoException, connection: Duplex) => onClientError(error, { connection, version }));
}

function noMoreFiles(): TmpmError {
  return new TmpmError("RESOURCE_EXHAUSTED", "the daemon has no file descriptors left for connections", {
    hint: "End clients that stay connected, or raise the limit: ulimit -n 4096, or LimitNOFILE= of the service.",
  });
}

/** Data that is not HTTP gets the shortest response. */
function onClientError(
  error: NodeJS.ErrnoException,
  { connection, version }: { readonly connection: Duplex; readonly version: string },
): void {
  if (error.code === "ECONNRESET" || !connection.writable) connection.destroy();
  else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT")
    answerUpgradeRefusal(connection, { error: notWhole(), requestId: randomUUID(), version });
  else if (error.code === "HPE_HEADER_OVERFLOW")
    answerUpgradeRefusal(connection, { error: requestTooLong(), status: 431, requestId: randomUUID(), version });
  else {
    connection.end(`HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => connection.destroy());
  }
}

/** A daemon without enough CPU time reads data late that was sent in time. */
function notWhole(): TmpmError {
  return new TmpmError("TIMEOUT", "the daemon did not read the whole request in time", {
    effect: "none",
    hint: "Nothing was done. Try again in a moment; the machine may be overloaded.",
  });
}
