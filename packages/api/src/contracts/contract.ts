import type { ErrorCode } from "@tmpm/core";
import * as z from "zod";
import type { Scope } from "../scope.js";

/**
 * Input and response of a route: the source of the server's validation, `/openapi.json`, the API reference and the client's types.
 * Scopes: `observer` reads, `operator` changes sessions, `admin` changes the daemon; `session` acts for one session, with its token.
 */
export interface Contract {
  readonly method: "GET" | "POST" | "DELETE";
  /** `:name` stands for a parameter. */
  readonly path: string;
  readonly scope: Scope;
  /** Also accepts the token of the session named by the path. */
  readonly own?: true;
  /** Also accepts a session that acts with its own token, within its grant; `docs/mcp.md` explains the format. */
  readonly acting?: "own" | "read" | "send" | "control" | "start";
  /** One line that describes it. */
  readonly summary: string;
  /** Further description, in Markdown. */
  readonly description?: string;
  readonly params: z.ZodType;
  /** The body as an object; unknown fields are refused. */
  readonly query: z.ZodType;
  readonly body: z.ZodType | null;
  /**
   * The body is a file's bytes (`application/octet-stream`), and `body` is empty. The same bytes are the same request, so it does not take an
   * `Idempotency-Key`.
   */
  readonly bytes?: true;
  readonly status: 200 | 201 | 202;
  readonly answer: z.ZodType;
  /** Its error codes in addition to those of `errorsOf`, which every such route has. */
  readonly errors: readonly ErrorCode[];
  /** A request and its response; omitted parts are empty. */
  readonly example: Example;
  /** Its response contains a secret and is not stored, so the route does not take an `Idempotency-Key`. */
  readonly secret?: true;
  /** Accepts `If-Match` with a session's `rev`, which its handler receives as `rev`. */
  readonly conditional?: true;
  /** May take long: `Prefer: respond-async` responds 202 at once, with an operation to follow. */
  readonly long?: true;
  /** Its response may wait: for an event, a session, another machine or a device. */
  readonly waits?: true;
  /** An additional streaming form: server-sent events for clients that accept them, or WebSocket frames for clients that request an upgrade. */
  readonly stream?: Stream;
}

export interface Example {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
  readonly answer: object;
}

export interface Stream {
  readonly kind: "sse" | "websocket";
  /** Description of the stream, in Markdown. */
  readonly description: string;
  readonly example: string;
}

export const none = z.strictObject({});
export const session = z.object({ session: z.string().min(1).describe("A session's id, its name, or a prefix of either.") });

/** A project reference, resolved by the daemon, which knows the registered ones. */
export const project = z.string().min(1).max(4096).describe("A project's id, or the absolute path of a registered project.");

/** A boolean in a query. */
export const flag = z
  .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")])
  .meta({ inQuery: { type: "boolean" } });

/** An integer in a query. */
export const count = (min: number, max: number) =>
  z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
    .pipe(z.number().int().min(min).max(max))
    .meta({ inQuery: { type: "integer", minimum: min, maximum: max } });

/** Zero or more values in a query, as repeated parameters. */
export const repeated = <T extends z.ZodType>(value: T) => z.union([z.array(value), value.transform((one) => [one])]).default([]);
