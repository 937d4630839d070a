import type { ErrorCode } from "@tmpm/core";
import * as z from "zod";
import type { Scope } from "../scope.js";

/**
 * What a route takes and answers: the server's validation, `/openapi.json`, the pages of documentation and the client's types come from it.
 * Scopes: `observer` reads, `operator` changes sessions, `admin` changes the daemon; `session` speaks for one session, with its token.
 */
export interface Contract {
  readonly scope: Scope;
  /** Also open to the token of the session that the path names. */
  readonly own?: true;
  /** Also open to a session that acts with its own token, as far as its grant goes; `docs/mcp.md` says what each word allows. */
  readonly acting?: "own" | "read" | "send" | "control" | "start";
  /** One line that says what it does. */
  readonly summary: string;
  /** More, in Markdown. */
  readonly description?: string;
  readonly params: z.ZodType;
  /** An object without other fields than it names, as the body: what is not understood is refused. */
  readonly query: z.ZodType;
  readonly body: z.ZodType | null;
  /** The body is a file's bytes (`application/octet-stream`), and `body` is empty. The same bytes are the same request, so it takes no `Idempotency-Key`. */
  readonly bytes?: true;
  readonly status: 200 | 201 | 202;
  readonly answer: z.ZodType;
  /** The codes of its failures beside those of `errorsOf` that every such route has. */
  readonly errors: readonly ErrorCode[];
  /** A request and its answer; parts that are left out are empty. */
  readonly example: Example;
  /** Its answer holds a secret, so it is kept nowhere, and the route takes no `Idempotency-Key`. */
  readonly secret?: true;
  /** Takes `If-Match` with a session's `rev`, which its handler gets as `rev`. */
  readonly conditional?: true;
  /** May take long: `Prefer: respond-async` answers 202 at once, with an operation to follow. */
  readonly long?: true;
  /** What it is as well: server-sent events for who accepts them, or frames of a WebSocket for who asks for an upgrade. */
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
  /** What travels, in Markdown. */
  readonly description: string;
  readonly example: string;
}

export const none = z.strictObject({});
export const session = z.object({ session: z.string().min(1).describe("A session's id, its name, or a prefix of either.") });

/** Which project: parsed by the daemon, which knows the registered ones. */
export const project = z.string().min(1).max(4096).describe("A project's id, or the absolute path of a registered project.");

/** A truth value in a query. */
export const flag = z
  .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")])
  .meta({ inQuery: { type: "boolean" } });

/** A whole number in a query. */
export const count = (min: number, max: number) =>
  z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
    .pipe(z.number().int().min(min).max(max))
    .meta({ inQuery: { type: "integer", minimum: min, maximum: max } });

/** None, one or several in a query, each under the same name. */
export const repeated = <T extends z.ZodType>(value: T) => z.union([z.array(value), value.transform((one) => [one])]).default([]);
