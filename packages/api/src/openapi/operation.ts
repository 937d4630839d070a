import { ERRORS, type ErrorCode } from "@tmpm/core";
import type * as z from "zod";
import type { Contract } from "../contracts/contract.js";
import { errorsOf } from "../contracts/errors-of.js";
import { VERSION_HEADER } from "../headers.js";
import { COMPONENTS, type JsonSchema, type JsonSchemas } from "./json-schemas.js";

/** One route in an OpenAPI document. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly "x-scope": Contract["scope"];
  readonly "x-error-codes": readonly ErrorCode[];
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface Reference {
  readonly $ref: string;
}

export interface Route {
  readonly name: string;
  readonly contract: Contract;
  readonly answer: JsonSchema;
}

/** Headers of many routes. */
export const PARAMETERS = {
  version: header(
    VERSION_HEADER,
    "The client's version of tmpm. A daemon of another version refuses the request with `DAEMON_VERSION` before acting on it.",
  ),
  idempotencyKey: header("Idempotency-Key", "A request repeated with its key within a day acts once and returns the same response."),
  ifMatch: header("If-Match", "The session's `rev`, or an `ETag`: refused if the record has changed since."),
  ifNoneMatch: header("If-None-Match", "An `ETag`, or a `rev`: 304 without a body if nothing has changed."),
  prefer: header("Prefer", "`respond-async`: respond 202 at once, and continue in the background."),
} as const satisfies Record<string, Parameter>;

/** The body is the file itself. */
const BYTES = { required: true, content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } } };

export function operationOf(route: Route, schemas: JsonSchemas): Operation {
  const { name, contract } = route;
  return {
    operationId: name,
    summary: contract.summary,
    ...(contract.description === undefined ? {} : { description: contract.description }),
    tags: [contract.path.split("/")[2] ?? "daemon"],
    parameters: [...parametersOf(contract, schemas), ...headersOf(contract)],
    ...(contract.body === null ? {} : { requestBody: contract.bytes === true ? BYTES : requestBody(contract, schemas) }),
    responses: { ...successes(route), ...failures(errorsOf(contract)) },
    security: [{}, { token: [] }],
    "x-scope": contract.scope,
    "x-error-codes": errorsOf(contract),
  };
}

/** Whether a route responds with a session, so that its responses have an `ETag`. */
export function answersSession(answer: z.ZodType): boolean {
  return "shape" in answer && typeof answer.shape === "object" && answer.shape !== null && "rev" in answer.shape;
}

function header(name: string, description: string): Parameter {
  return { name, in: "header", required: false, description, schema: { type: "string" } };
}

function parametersOf({ params, query, example }: Contract, schemas: JsonSchemas): readonly Parameter[] {
  const places = [
    { place: "path", schema: params, example: example.params },
    { place: "query", schema: query, example: example.query },
  ] as const;
  return places.flatMap(({ place, schema, example: given }) => {
    const { properties = {}, required = [] } = schemas.schemaOf(schema, "input");
    const examples = new Map(Object.entries(given ?? {}));
    return Object.entries(properties).map(([name, property]): Parameter => {
      const { description, ...rest } = typeof property === "boolean" ? {} : property;
      return {
        name,
        in: place,
        required: place === "path" || required.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
        ...(examples.has(name) ? { example: valueIn(rest, examples.get(name)) } : {}),
      };
    });
  });
}

/** Examples are in wire format, in which a number of a query is text. */
function valueIn({ type }: JsonSchema, given: unknown): unknown {
  if (type === "integer") return Number(given);
  if (type === "boolean") return String(given) === "true";
  return given;
}

function headersOf({ method, ...contract }: Contract): readonly Reference[] {
  const names: (keyof typeof PARAMETERS)[] = ["version"];
  if (method !== "GET" && contract.bytes !== true) names.push("idempotencyKey");
  if (method === "GET" && answersSession(contract.answer)) names.push("ifNoneMatch");
  if (contract.conditional === true) names.push("ifMatch");
  if (contract.long === true) names.push("prefer");
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function requestBody({ body, example }: Contract, schemas: JsonSchemas): object {
  if (body === null) return {};
  const schema = schemas.schemaOf(body, "input");
  return {
    required: schema.required !== undefined && schema.required.length > 0,
    content: { "application/json": { schema, example: example.body ?? {} } },
  };
}

function successes({ contract, answer }: Route): Record<string, object> {
  const { stream, example } = contract;
  const headers = {
    [VERSION_HEADER]: { $ref: "#/components/headers/version" },
    ...(answersSession(contract.answer) ? { ETag: { $ref: "#/components/headers/etag" } } : {}),
  };
  const content = {
    "application/json": { schema: answer, example: example.answer },
    ...(stream?.kind === "sse"
      ? { "text/event-stream": { schema: { type: "string", description: stream.description }, example: stream.example } }
      : {}),
  };
  return {
    ...(stream?.kind === "websocket" ? { 101: { description: stream.description, "x-example": stream.example } } : {}),
    [contract.status]: { description: contract.summary, headers, content },
    ...(contract.long === true ? { 202: accepted } : {}),
    ...(contract.method === "GET" && answersSession(contract.answer) ? { 304: { description: "Nothing changed.", headers } } : {}),
  };
}

const accepted = {
  description: "With `Prefer: respond-async`: it continues in the background. `Location` is the operation's address.",
  headers: { Location: { schema: { type: "string" } }, "Preference-Applied": { schema: { type: "string" } } },
  content: { "application/json": { schema: { $ref: `${COMPONENTS}OperationAnswer` } } },
};

/** One response per status, with the codes that share it. */
function failures(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { http } = ERRORS[code];
    if (http >= 400) byStatus.set(http, [...(byStatus.get(http) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join("\n\n"),
        content: { "application/json": { schema: { $ref: `${COMPONENTS}ErrorEnvelope` } } },
      },
    ]),
  );
}
