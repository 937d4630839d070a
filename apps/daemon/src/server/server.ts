import { Readable } from "node:stream";
import { CONTRACTS, type Contract, PATHS, type Parsed, type RouteName, TOKEN_SCOPES, VERSION_HEADER } from "@tmpm/api";
import { type ErrorCode, TmpmError } from "@tmpm/core";
import type { Supervisor } from "@tmpm/supervisor";
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Registry } from "prom-client";
import type { RequestAudit } from "../audit/audit-requests.js";
import type { StreamRequest } from "../events/events.js";
import { actorOf, clientOf, nameOf } from "../guard/caller.js";
import type { Guard } from "../guard/guard.js";
import { ANSWER_HEADERS, REQUEST_ID_HEADER } from "../guard/headers.js";
import { expectBody } from "../load/expect-body.js";
import { type Load, laneOf, load } from "../load/load.js";
import { takePlaces } from "../load/take-places.js";
import { metricsPage } from "../metrics/metrics-page.js";
import { bytesOf } from "../requests/answer.js";
import { answerError, asTmpmError, BODY_LIMIT } from "../requests/answer-error.js";
import type { Answering } from "../requests/answering.js";
import { type Exchanges, exchanges } from "../requests/exchange.js";
import { incomingBytes } from "../requests/incoming-bytes.js";
import { jsonBodies } from "../requests/json-body.js";
import { parseRequest } from "../requests/parse-request.js";
import { CALLERS_ID_HEADER, callersId } from "../requests/request-id.js";
import { acceptsStream, lastEventIdOf, sessionOf, sessionsIn, targetOf, tokenOf, withSessions } from "../requests/request-parts.js";
import type { OwnedRequest } from "../requests/require-owned.js";
import { shuttingDown } from "../requests/shutting-down.js";
import { unanswered } from "../requests/unanswered.js";
import type { HandlerRequest, Handlers, IncomingFile } from "../routes/handlers.js";
import { page } from "../web/page.js";
import type { PageFile } from "../web/page-files.js";
import { documentation } from "./documentation.js";
import { mcpDoor } from "./mcp-door.js";
import { NO_SCHEMAS } from "./no-schemas.js";
import { sendStream } from "./send-stream.js";

/** The response of a route if the caller accepts `text/event-stream`: frames, until the signal aborts. */
export type Streams = { readonly [R in RouteName]?: (input: Parsed<R>, request: StreamRequest) => Promise<AsyncIterable<string>> };

export interface ServerOptions {
  readonly handlers: Handlers;
  readonly streams?: Streams;
  readonly version: string;
  readonly guard: Guard;
  readonly answering: Answering;
  /** Refuses unauthorized changes. */
  readonly owned: (request: OwnedRequest) => Promise<void>;
  /** Authorizes an acting session, or throws. */
  readonly authorise: Supervisor["authorise"];
  /** No audit when omitted. */
  readonly audit?: RequestAudit;
  /** Reports faults that no caller can act on. */
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  /** Aborted when the daemon stops: ends pending waits. */
  readonly stopping: AbortSignal;
  /** Aborted when pending requests are no longer awaited: they fail with its reason. */
  readonly givingUp?: AbortSignal;
  readonly load?: Load;
  /** Called after every answered request to a route. */
  readonly answered?: (request: AnsweredRequest) => void;
  /** Served at `/metrics`. */
  readonly registry?: Registry;
  /** The dashboard's files. */
  readonly files?: readonly PageFile[];
  /** Request body idle timeout, in ms (default: 10,000). */
  readonly bodyIdleMs?: number;
  readonly bodyTotalMs?: number;
}

export interface AnsweredRequest {
  readonly requestId: string;
  readonly callersId: string | null;
  readonly route: RouteName;
  readonly status: number;
  readonly code: ErrorCode | null;
  readonly ms: number;
}

const SCOPES: ReadonlySet<string | undefined> = new Set([...TOKEN_SCOPES, "session", "anyone"]);

/** Idle timeout of stream readers and senders. */
const STALL_MS = 30_000;

/**
 * The API as a fastify instance that does not listen: doors admit requests. Every response carries the version; every error has the same envelope.
 * Fails if a route has no scope.
 */
export function server(options: ServerOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 4096 },
    // A path that cannot be decoded reaches no hook.
    frameworkErrors: (error, _request, reply) => {
      reply.headers({ ...ANSWER_HEADERS, [VERSION_HEADER]: options.version });
      answerError(reply, { error, report: options.report });
    },
  });
  app.removeContentTypeParser("text/plain");
  jsonBodies(app);
  app.addContentTypeParser("application/octet-stream", (_request, payload, done) => done(null, payload));
  const open = unanswered();
  const every = exchanges();
  const always = { ...ANSWER_HEADERS, [VERSION_HEADER]: options.version };
  // Hooks that wait for nothing use callbacks: a promise for each costs as much as the rest of a short response.
  app.addHook("onRequest", (request, reply, done) => {
    const exchange = every.begin(request.raw, reply.raw);
    const { requestId, first } = options.guard.admitted(request.raw);
    if (first !== undefined) exchange.first = every.of(first);
    reply
      .headers(always)
      .header(REQUEST_ID_HEADER, requestId)
      .header(CALLERS_ID_HEADER, callersId(request.raw) ?? requestId);
    exchange.whenOver(open.add(reply));
    if (options.stopping.aborted) done(shuttingDown());
    // Before its body is read: a request to no route is refused like one to a route.
    else if (request.is404)
      options.guard.permit(request.raw, { scope: null }).then(
        () => done(routeNotFound(request)),
        (error: Error) => done(error),
      );
    else done();
  });
  // A route that forgot to check permission is refused.
  app.addHook("preParsing", (request, _reply, payload, done) => {
    if (options.guard.wasPermitted(request.raw)) done(null, payload);
    else done(new Error("a route was about to respond without a permission check"));
  });
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (options.stopping.aborted) reply.header("connection", "close");
    done(null, payload);
  });
  options.givingUp?.addEventListener("abort", () =>
    open.answerAll((reply) => {
      const error = shuttingDown(reply.request.method === "GET" ? "none" : "unknown");
      every.of(reply.request.raw).failure = error;
      answerError(reply.header("connection", "close"), { error, report: options.report });
    }),
  );
  app.setErrorHandler((error: FastifyError | TmpmError, request, reply) => {
    every.of(request.raw).failure = asTmpmError(error);
    answerError(reply, { error, report: options.report });
  });
  app.setNotFoundHandler(async (request) => {
    throw routeNotFound(request);
  });
  const places = options.load ?? load();
  for (const name of Object.keys(PATHS) as RouteName[]) mount(app, { name, options, places, every });
  documentation(app, options);
  page(app, options);
  mcpDoor(app, {
    ...options,
    async begin(request) {
      const exchange = every.of(request.raw);
      const { stopping } = options;
      exchange.bodyArrived = await takePlaces(request, { exchange, load: places, lane: "tools", streamed: false, stopping });
    },
    expectBody: (request, reply) => expectBody(request, { ...options, reply, exchange: every.of(request.raw) }),
    bodyArrived: (request) => every.of(request.raw).bodyArrived?.(),
  });
  if (options.registry !== undefined) metricsPage(app, { guard: options.guard, registry: options.registry });
  return app;
}

function routeNotFound({ method, url }: FastifyRequest): TmpmError {
  return new TmpmError("ROUTE_NOT_FOUND", `the route ${method} ${url.split("?")[0]} does not exist`);
}

interface Mounted {
  readonly name: RouteName;
  readonly options: ServerOptions;
  readonly places: Load;
  readonly every: Exchanges;
}

function mount(app: FastifyInstance, route: Mounted): void {
  const { name, options, every } = route;
  const { stopping } = options;
  const contract: Contract = CONTRACTS[name];
  const { bytes = false } = contract;
  if (!SCOPES.has(contract.scope)) throw new Error(`the route ${name} has no scope`);
  const { scope, own, acting } = contract;
  // The contract's schema has just produced the input; the table's type cannot express that for a variable name.
  const handler = options.handlers[name] as (input: unknown, request: HandlerRequest) => Promise<unknown>;
  const stream = options.streams?.[name] as ((input: unknown, request: StreamRequest) => Promise<AsyncIterable<string>>) | undefined;
  app.route({
    method: PATHS[name].method,
    url: PATHS[name].path,
    onRequest: async (request) => {
      const target = targetOf(request);
      const caller = await options.guard.permit(request.raw, {
        scope,
        own,
        acting: acting !== undefined,
        session: sessionOf(request),
        route: name,
        target,
      });
      const exchange = every.of(request.raw);
      exchange.bodyArrived = await takePlaces(request, { exchange, load: route.places, lane: laneOf(name), streamed: bytes, stopping });
      const { requestId } = options.guard.admitted(request.raw);
      exchange.asked = { requestId, caller, route: name, method: request.method, target };
      options.audit?.begin(exchange.asked);
    },
    preParsing: (request, reply, payload, done) => {
      if (contract.body !== null && !bytes) expectBody(request, { ...options, reply, exchange: every.of(request.raw) });
      done(null, payload);
    },
    preHandler: (request, _reply, done) => {
      every.of(request.raw).bodyArrived?.();
      done();
    },
    onResponse: (request, reply, done) => {
      answered(request, { reply, route });
      done();
    },
    handler: async (request, reply) => {
      const asked = parseRequest(contract, request);
      const exchange = every.of(request.raw);
      if (stream !== undefined && acceptsStream(request)) {
        const signal = exchange.signal(options.stopping);
        const frames = await stream(asked, { signal, lastEventId: lastEventIdOf(request) });
        return sendStream(reply, frames, { signal, stallMs: STALL_MS }).catch((error: unknown) => {
          options.report({ doing: "streaming a response", error });
        });
      }
      const { headers } = request;
      const admitted = options.guard.admitted(request.raw);
      await options.owned({ name, input: asked, client: clientOf(admitted.caller) });
      const actor = actorOf(admitted.caller);
      const input =
        actor === null || acting === undefined
          ? asked
          : withSessions(asked, await options.authorise({ actor, acting, sessions: sessionsIn(asked) }));
      const gone = () => exchange.signal(stopping);
      const answerable = { name, contract, headers, input, caller: nameOf(admitted.caller), gone, stopping };
      const answer = await options.answering(answerable, ({ id, signal }) =>
        handler(input, {
          id,
          get signal() {
            return signal();
          },
          received: exchange.received,
          token: tokenOf(request),
          admitted,
          actor,
          connection: request.raw.socket,
          file: bytes ? fileIn(request, options.stopping) : null,
          header: (header, value) => void reply.header(header, value),
        }),
      );
      return reply.code(answer.status).headers(answer.headers).send(bytesOf(answer.body));
    },
  });
}

function answered(request: FastifyRequest, { reply, route }: { readonly reply: FastifyReply; readonly route: Mounted }): void {
  const { name, options } = route;
  const { asked, failure: error } = route.every.of(request.raw);
  const status = reply.statusCode;
  // An unread file would block the connection.
  if (request.body instanceof Readable) request.body.resume();
  if (asked !== null) options.audit?.end({ ...asked, request: request.raw, status, error });
  const { requestId } = options.guard.admitted(request.raw);
  const answer = { requestId, callersId: callersId(request.raw), route: name, status, code: error?.code ?? null };
  options.answered?.({ ...answer, ms: reply.elapsedTime });
}

function fileIn({ body, headers }: FastifyRequest, stopping: AbortSignal): IncomingFile {
  if (!(body instanceof Readable)) {
    throw new TmpmError("INVALID_ARGUMENT", "the body is not a file", {
      hint: "Send its bytes with `Content-Type: application/octet-stream`.",
      details: { part: "body" },
    });
  }
  const size = Number(headers["content-length"]);
  return { bytes: incomingBytes(body, { idleMs: STALL_MS, stopping }), size: Number.isSafeInteger(size) ? size : undefined };
}
