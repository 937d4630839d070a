import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type Contract, PATHS, type RouteName } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import { answerOf, isWritten, jsonAnswer, kept, type Response } from "./answer.js";
import type { BackgroundOperations } from "./background-operations.js";
import { etagOf, isKnown } from "./etag.js";
import type { KeyedRequests } from "./keyed-requests.js";

/** A parsed request. */
export interface Asked {
  readonly name: RouteName;
  readonly contract: Contract;
  readonly input: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  /** The caller, to which keys are scoped. */
  readonly caller: string;
  /** The caller went away, or the daemon stops. */
  readonly gone: () => AbortSignal;
  readonly stopping: AbortSignal;
}

export interface Acting {
  /** Aborted when the caller no longer waits for the response. */
  readonly signal: () => AbortSignal;
  /** The id of a created resource: the same for the same key. */
  readonly id: string;
}

export type Act = (acting: Acting) => Promise<unknown>;

export interface AnsweringOptions {
  readonly keyed: KeyedRequests;
  readonly operations: BackgroundOperations;
  readonly newId: () => string;
  /** The id of a session given by any reference. @throws SESSION_NOT_FOUND, SESSION_AMBIGUOUS */
  readonly sessionId: (session: string) => Promise<string>;
}

export type Answering = (asked: Asked, act: Act) => Promise<Response>;

/** Responds to a request as its headers specify: once per key, in the background, or with 304 if the caller has the current response. */
export function answering({ keyed, operations, newId, sessionId }: AnsweringOptions): Answering {
  async function answer(asked: Asked, { act, acting }: { readonly act: Act; readonly acting: Acting }): Promise<Response> {
    if (!wantsBackground(asked)) return directly(asked, await act(acting));
    const { name, input, stopping } = asked;
    const session_id = name === "create" ? acting.id : typeof input.session === "string" ? await sessionId(input.session) : null;
    const run = async () => kept(directly(asked, await act({ ...acting, signal: () => stopping })));
    const operation = await operations.begin({ route: name, session_id }, run);
    const location = PATHS.operation.path.replace(":operation", operation.id);
    return jsonAnswer(202, operation, { location, "preference-applied": "respond-async" });
  }

  return async function answered(asked, act) {
    const key = keyOf(asked);
    if (key === null) return answer(asked, { act, acting: { signal: asked.gone, id: newId() } });
    const { name, caller, stopping } = asked;
    const request = { key: `${caller}\n${key}`, route: name, digest: digestOf(asked), repeatable: name === "create" };
    return keyed.once(request, async (id) => kept(await answer(asked, { act, acting: { signal: () => stopping, id } })));
  };
}

function directly({ name, contract, headers }: Asked, value: unknown): Response {
  const made = answerOf(contract.status, value);
  if (isWritten(value)) return conditional(made, { etag: value.etag, name, headers });
  const rev = typeof value === "object" && value !== null && "rev" in value ? value.rev : null;
  return conditional(made, { etag: typeof rev === "number" ? etagOf(rev, made.body) : null, name, headers });
}

interface Condition extends Pick<Asked, "name" | "headers"> {
  /** Null for a response without a validator. */
  readonly etag: string | null;
}

function conditional(made: Response, { etag, name, headers }: Condition): Response {
  if (etag === null) return made;
  if (PATHS[name].method === "GET" && isKnown(headers["if-none-match"], etag)) return { status: 304, headers: { etag }, body: "" };
  return { ...made, headers: { ...made.headers, etag } };
}

/** Null for a request without a key, and for an operation that keeps keys itself. @throws INVALID_ARGUMENT */
function keyOf({ name, contract, headers, input }: Asked): string | null {
  const key = headers["idempotency-key"];
  if (key === undefined || PATHS[name].method === "GET" || contract.bytes === true || "idempotency_key" in input) return null;
  if (contract.secret === true) throw headerFault("Idempotency-Key: not accepted by this route");
  if (typeof key === "string" && isKey(key)) return key;
  throw headerFault("Idempotency-Key: 1 to 200 visible characters of ASCII");
}

export function isKey(key: string): boolean {
  return /^[\x21-\x7e]{1,200}$/.test(key);
}

export function headerFault(message: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { details: { part: "header" } });
}

function wantsBackground({ contract, headers }: Asked): boolean {
  if (contract.long !== true || headers.prefer === undefined) return false;
  const wishes = [headers.prefer].flat().join(",");
  return wishes.split(",").some((wish) => wish.split(/[;=]/, 1)[0]?.trim().toLowerCase() === "respond-async");
}

function digestOf({ input, headers }: Asked): string {
  return createHash("sha256")
    .update(JSON.stringify([input, headers.prefer ?? null]))
    .digest("hex");
}
