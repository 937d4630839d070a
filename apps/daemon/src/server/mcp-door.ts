import { SESSION_HEADER } from "@tmpm/api";
import { client, type Transport } from "@tmpm/api/client";
import { TmpmError } from "@tmpm/core";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { actorOf, type Caller, may } from "../guard/caller.js";
import type { Guard } from "../guard/guard.js";

export interface McpDoorOptions {
  readonly guard: Pick<Guard, "permit" | "onBehalfOf">;
  readonly version: string;
  /** Takes the request's places. @throws OVERLOADED, SHUTTING_DOWN */
  readonly begin: (request: FastifyRequest) => Promise<void>;
  /** Limits the time in which the body arrives. */
  readonly expectBody: (request: FastifyRequest, reply: FastifyReply) => void;
  readonly bodyArrived: (request: FastifyRequest) => void;
}

/** The path of the tools over HTTP. */
const MCP_PATH = "/mcp";

/**
 * Serves the tools of `tmpm mcp` over Streamable HTTP. Each tool call is its caller's request to the API, with the same token, so guard, audit log and limits apply.
 */
export function mcpDoor(app: FastifyInstance, { guard, version, begin, expectBody, bodyArrived }: McpDoorOptions): void {
  const callers = new WeakMap<FastifyRequest["raw"], Caller>();
  const onRequest = async (request: FastifyRequest) => {
    const { raw } = request;
    const caller = await guard.permit(raw, { scope: "observer", acting: true });
    if (caller.kind === "login" || caller.kind === "anyone")
      throw new TmpmError("SCOPE_REFUSED", "tools are for programs, which send a token in a header", {
        hint: "Create one with `tmpm token create`.",
      });
    callers.set(raw, caller);
    await begin(request);
  };
  const onBody: Pick<RouteShorthandOptions, "preParsing" | "preHandler"> = {
    preParsing(request, reply, payload, done) {
      expectBody(request, reply);
      done(null, payload);
    },
    preHandler(request, _reply, done) {
      bodyArrived(request);
      done();
    },
  };
  app.post(MCP_PATH, { onRequest, ...onBody }, async (request, reply) => {
    const caller = callers.get(request.raw);
    if (caller === undefined) throw new Error("a request reached the tools without the guard");
    const { answerHttp } = await import("@tmpm/mcp");
    const asked = new Request(new URL(MCP_PATH, "http://localhost"), { method: "POST", headers: fetchHeaders(request) });
    const answer = await answerHttp(
      {
        client: client({ transport: within(app, { guard, request }) }),
        version,
        self: actorOf(caller),
        // The owner on the socket has no token, and only reads, like `tmpm mcp` outside a session.
        steers: caller.kind === "token" && may(caller, "operator"),
      },
      { request: asked, body: request.body },
    );
    return reply
      .code(answer.status)
      .headers(Object.fromEntries(answer.headers))
      .send(Buffer.from(await answer.arrayBuffer()));
  });
  // Streams and sessions are not supported, so GET and DELETE are refused.
  for (const method of ["GET", "DELETE"] as const) {
    app.route({
      method,
      url: MCP_PATH,
      onRequest,
      handler: async () => {
        throw new TmpmError("METHOD_NOT_ALLOWED", `${MCP_PATH} accepts only POST`, { details: { allowed: ["POST"] } });
      },
    });
  }
}

/** Headers that select the protocol's form. */
const KEPT = /^(accept|content-type|mcp-[a-z-]+)$/;

function fetchHeaders({ headers }: FastifyRequest): Headers {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string" && KEPT.test(name)) kept.set(name, value);
  return kept;
}

function credentialsOf(headers: FastifyRequest["headers"]): Readonly<Record<string, string>> {
  const { authorization, [SESSION_HEADER]: session } = headers;
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(typeof session === "string" ? { [SESSION_HEADER]: session } : {}),
  };
}

interface Within {
  readonly guard: Pick<Guard, "onBehalfOf">;
  readonly request: FastifyRequest;
}

/** The daemon's own API, called in-process for the caller of the request. */
function within(app: FastifyInstance, { guard, request: { raw, headers: own } }: Within): Transport {
  return {
    async request({ method, path, headers, body }) {
      const named = { ...credentialsOf(own), ...headers, host: "localhost" };
      const content = body === null ? {} : { "content-type": "application/json" };
      const answer = await guard.onBehalfOf(raw, (behalf) =>
        app.inject({ method, url: path, headers: { ...named, ...content, ...behalf }, ...(body === null ? {} : { payload: body }) }),
      );
      const strings = Object.entries(answer.headers).flatMap(([name, value]) =>
        typeof value === "string" ? [[name, value] as const] : [],
      );
      return { status: answer.statusCode, headers: Object.fromEntries(strings), body: answer.payload };
    },
  };
}
