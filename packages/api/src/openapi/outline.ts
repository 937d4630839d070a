import type { OpenApi } from "./document.js";
import { COMPONENTS, type JsonSchema } from "./json-schemas.js";
import type { Operation, Parameter, Reference } from "./operation.js";

/** A route as a page describes it. */
export interface RouteOutline {
  readonly name: string;
  readonly method: string;
  /** With `:name` for what is filled in. */
  readonly path: string;
  readonly summary: string;
  readonly description: string | null;
  readonly scope: string;
  readonly fields: readonly FieldOutline[];
  /** A command that asks it. */
  readonly command: string;
  readonly status: string;
  /** The type of its answer, in words. */
  readonly answer: string;
  /** What it is as well, such as a stream; null for most. */
  readonly stream: string | null;
  readonly codes: readonly string[];
}

export interface FieldOutline {
  readonly name: string;
  readonly where: "path" | "query" | "header" | "body" | "answer";
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

export interface ShapeOutline {
  readonly name: string;
  /** For what is not an object with fields. */
  readonly type: string;
  readonly fields: readonly FieldOutline[];
}

/** Every route of a document, in its order. */
export function routesOf(document: OpenApi): readonly RouteOutline[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => outline({ document, path, method: method.toUpperCase(), operation })),
  );
}

/** Every named shape, in the order of the names. */
export function shapesOf({ components }: OpenApi): readonly ShapeOutline[] {
  return Object.entries(components.schemas).map(([name, schema]) => ({ name, type: typeOf(schema), fields: fieldsOf(schema, "answer") }));
}

interface Place {
  readonly document: OpenApi;
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function outline(place: Place): RouteOutline {
  const { document, path, method, operation } = place;
  const parameters = operation.parameters.map((parameter) => resolved(parameter, document));
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"));
  const [status = "200"] = success ?? [];
  return {
    name: operation.operationId,
    method,
    path: path.replace(/\{(\w+)\}/g, ":$1"),
    summary: operation.summary,
    description: operation.description ?? null,
    scope: operation["x-scope"],
    fields: [...parameters.map(fieldOf), ...fieldsOf(named(bodyOf(operation)?.schema ?? {}, document), "body")],
    command: commandFor(place, parameters),
    status,
    answer: typeOf(contentOf(success?.[1])["application/json"]?.schema ?? {}),
    stream: streamOf(operation),
    codes: operation["x-error-codes"],
  };
}

function resolved(parameter: Parameter | Reference, { components }: OpenApi): Parameter {
  if (!("$ref" in parameter)) return parameter;
  const found = Object.entries(components.parameters).find(([name]) => parameter.$ref.endsWith(`/${name}`));
  if (found === undefined) throw new TypeError(`nothing is at ${parameter.$ref}`);
  return found[1];
}

/** What a schema that is only a name stands for. */
function named(schema: JsonSchema, { components }: OpenApi): JsonSchema {
  return schema.$ref === undefined ? schema : (components.schemas[schema.$ref.slice(COMPONENTS.length)] ?? {});
}

function fieldOf({ name, in: where, required, schema, description = "" }: Parameter): FieldOutline {
  return { name, where, required, description, type: typeOf(schema) };
}

function fieldsOf({ properties = {}, required = [], allOf = [] }: JsonSchema, where: "body" | "answer"): readonly FieldOutline[] {
  const own = Object.entries(properties).map(([name, schema]) => {
    const description = typeof schema === "object" ? (schema.description ?? "") : "";
    return { name, where, required: required.includes(name), type: typeOf(schema), description };
  });
  const more = allOf.map(typeOf).map((type) => ({ name: "…", where, required: true, type, description: "and all of its fields" }));
  return [...more, ...own];
}

interface Content {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

/** The document is of our own making; its type leaves the answers open. */
function contentOf(part: object | undefined): Readonly<Record<string, Content>> {
  return part !== undefined && "content" in part ? (part.content as Readonly<Record<string, Content>>) : {};
}

function bodyOf({ requestBody }: Operation): Content | undefined {
  return contentOf(requestBody)["application/json"];
}

function streamOf({ responses }: Operation): string | null {
  const sse = contentOf(responses[200])["text/event-stream"]?.schema?.description;
  const upgrade = responses[101];
  if (upgrade !== undefined && "description" in upgrade) return String(upgrade.description);
  return sse ?? null;
}

function commandFor({ path, method, operation }: Place, parameters: readonly Parameter[]): string {
  const given = new Map(
    parameters.flatMap(({ name, in: where, example }) => (example === undefined ? [] : [[`${where} ${name}`, String(example)]])),
  );
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given.get(`path ${name}`) ?? name));
  const query = [...given].flatMap(([key, value]) => (key.startsWith("query ") ? [`${key.slice(6)}=${value}`] : [])).join("&");
  const body = bodyOf(operation)?.example;
  const parts = [
    ...(method === "GET" || (method === "POST" && body !== undefined) ? [] : ["-X", method]),
    ...("application/octet-stream" in contentOf(operation.requestBody)
      ? ["--data-binary", "@FILE", "-H", "'Content-Type: application/octet-stream'"]
      : []),
    ...(body === undefined ? [] : ["--json", `'${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ];
  return ["curl", "--unix-socket", '"$TMPM_SOCKET"', ...parts, `'http://localhost${filled}${query === "" ? "" : `?${query}`}'`].join(" ");
}

/** A schema in a few words, as TypeScript would say it. */
function typeOf(schema: JsonSchema | boolean): string {
  if (typeof schema === "boolean") return "anything";
  const { $ref, enum: words, const: word, anyOf, oneOf, items, type, additionalProperties, properties } = schema;
  if ($ref !== undefined) return $ref.slice(COMPONENTS.length);
  if (word !== undefined) return JSON.stringify(word);
  if (words !== undefined) return words.map((each) => JSON.stringify(each)).join(" | ");
  const union = anyOf ?? oneOf;
  if (union !== undefined) return [...new Set(union.map(typeOf))].join(" | ");
  if (type === "array") return arrayOf(items);
  if (type === "object" && properties === undefined && typeof additionalProperties === "object")
    return `{ [name]: ${typeOf(additionalProperties)} }`;
  if (Array.isArray(type)) return type.join(" | ");
  return type ?? "anything";
}

function arrayOf(items: JsonSchema["items"]): string {
  const each = items === undefined || Array.isArray(items) ? "anything" : typeOf(items);
  return each.includes(" | ") ? `(${each})[]` : `${each}[]`;
}
