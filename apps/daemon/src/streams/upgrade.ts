import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { ALIVE_MS, CONTRACTS, PATHS, type Parsed } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import { type WebSocket, WebSocketServer } from "ws";
import { shuttingDown } from "../requests/shutting-down.js";
import { obey } from "./obey.js";
import type { TerminalStream } from "./terminal-stream.js";
import type { TerminalStreams } from "./terminal-streams.js";
import type { Viewer, Wire } from "./viewer.js";
import { webSocketWire } from "./web-socket-wire.js";

/** An upgrade's caller, after the guard has admitted it. */
export interface Watcher {
  /** Why it may not type or resize; null when it may. Checked for every command. */
  readonly refusal: () => TmpmError | null;
  /** Called for every command, with the reason of a refusal. */
  readonly onCommand?: (refused: TmpmError | null) => void;
  /** Calls back when it may no longer watch, shortly before its connection is cut. */
  readonly onRevoked?: (say: () => void) => void;
}

export interface UpgradeOptions {
  readonly streams: TerminalStreams;
  readonly newId: () => string;
  /** @throws the error for a refused request */
  readonly admit: (request: IncomingMessage, wanted: { readonly session: string }) => Promise<Watcher>;
  /** Responds with an error, and ends the connection. */
  readonly refuse: (socket: Duplex, error: unknown) => void;
  readonly stopping: AbortSignal;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  readonly wire?: (web: WebSocket) => Wire;
  /** Ping interval; a peer that misses two is cut off. Also the interval of `alive`, unless the client requests another one. */
  readonly aliveMs?: number;
}

/** JSON may escape a character as six bytes. */
const MOST_MESSAGE = 512 * 1024;

/** Responds to upgrade requests: with a WebSocket, or the error that any other request would get. */
export function upgrade(options: UpgradeOptions): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: MOST_MESSAGE, perMessageDeflate: false });
  return (request, socket, head) => {
    // A disconnected caller needs no answer.
    const gone = () => socket.destroy();
    socket.on("error", gone);
    enter(request, options)
      .then((entered) => {
        server.handleUpgrade(request, socket, head, (web) => {
          socket.off("error", gone);
          serve(web, { ...options, ...entered });
        });
      })
      .catch((error: unknown) => options.refuse(socket, error));
  };
}

interface Entered {
  readonly stream: TerminalStream;
  readonly watcher: Watcher;
  readonly query: Parsed<"stream">;
}

async function enter(request: IncomingMessage, options: UpgradeOptions): Promise<Entered> {
  if (options.stopping.aborted) throw shuttingDown();
  const { session, search } = target(request);
  const watcher = await options.admit(request, { session });
  const parsed = CONTRACTS.stream.query.safeParse(Object.fromEntries(search));
  if (!parsed.success) throw malformed(parsed.error.issues[0]?.message);
  if ((parsed.data.from === undefined) !== (parsed.data.stream === undefined)) throw malformed("`from` and `stream` belong together");
  return { stream: await options.streams.open(session), watcher, query: { ...parsed.data, session } };
}

/** @throws ROUTE_NOT_FOUND, INVALID_ARGUMENT */
function target({ url = "" }: IncomingMessage): { readonly session: string; readonly search: URLSearchParams } {
  const [path = "", query = ""] = url.split("?", 2);
  const [before = "", after = ""] = PATHS.stream.path.split(":session");
  const segment = path.startsWith(before) && path.endsWith(after) ? path.slice(before.length, path.length - after.length) : "";
  if (segment === "" || segment.includes("/")) throw new TmpmError("ROUTE_NOT_FOUND", "this WebSocket does not exist");
  try {
    return { session: decodeURIComponent(segment), search: new URLSearchParams(query) };
  } catch (error) {
    if (error instanceof URIError) throw malformed("the path is badly encoded");
    throw error;
  }
}

function malformed(what = "is malformed"): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `the request for a stream: ${what}`, { details: { part: "query" } });
}

function serve(web: WebSocket, options: UpgradeOptions & Entered): void {
  const { stream, watcher, query, report, aliveMs: pingMs = ALIVE_MS } = options;
  const aliveMs = query.alive_ms ?? pingMs;
  const id = options.newId();
  const wire = (options.wire ?? webSocketWire)(web);
  // A broken connection needs no report: `close` follows.
  web.on("error", () => undefined);
  const resume = query.from === undefined || query.stream === undefined ? null : { from: query.from, stream: query.stream };
  const joined = stream.join({ id, wire, resume, hello: { writable: watcher.refusal() === null, alive_ms: aliveMs } });
  watcher.onRevoked?.(() => {
    joined.say({ type: "end", reason: "revoked", seq: stream.window().to, screen: null, error: null });
    wire.close(1008, "revoked");
  });
  const refusal = () => {
    const refused = watcher.refusal();
    watcher.onCommand?.(refused);
    return refused;
  };
  const listen = obey({ stream, viewer: joined, client: query.client ?? id, refusal, report });
  web.on("message", (data, binary) => listen(binary ? "" : data.toString()));
  const stop = stayAlive(web, { viewer: joined, stream, aliveMs, pingMs });
  web.on("close", () => {
    stop();
    stream.leave(joined);
  });
}

interface Alive {
  readonly viewer: Viewer;
  readonly stream: TerminalStream;
  readonly aliveMs: number;
  readonly pingMs: number;
}

/** A stalled viewer does not answer pings either, and is disconnected at the second one. */
function stayAlive(web: WebSocket, { viewer, stream, aliveMs, pingMs }: Alive): () => void {
  let unanswered = 0;
  web.on("pong", () => {
    unanswered = 0;
  });
  const pings = setInterval(() => {
    if (unanswered >= 2) return web.terminate();
    unanswered += 1;
    web.ping();
  }, pingMs).unref();
  const messages = setInterval(() => viewer.say({ type: "alive", seq: stream.window().to }), aliveMs).unref();
  return () => {
    clearInterval(pings);
    clearInterval(messages);
  };
}
