import type { OpenApiAnswer } from "@tmpm/api";

type Json = Readonly<Record<string, unknown>>;

/** Verbs that are called otherwise than the route whose answer they print. */
const ROUTE_OF: ReadonlyMap<string, string> = new Map([
  ["ls", "list"],
  ["new", "create"],
  ["rm", "remove"],
  ["approve", "answer"],
  ["deny", "answer"],
  ["daemon", "health"],
  ["token", "tokens"],
]);

const COMPONENTS = "#/components/schemas/";

/** Every route, with the name of what it answers. */
export function answerNames(document: OpenApiAnswer): readonly { readonly route: string; readonly answer: string }[] {
  return operationsOf(document).map((operation) => {
    const { $ref } = answerOf(operation);
    return { route: String(operation.operationId), answer: typeof $ref === "string" ? $ref.slice(COMPONENTS.length) : "" };
  });
}

/** The JSON Schema (2020-12) of what a verb, or a route, answers, with everything that it refers to; null when there is no such verb. */
export function answerSchema(document: OpenApiAnswer, name: string): Json | null {
  const route = ROUTE_OF.get(name) ?? name;
  const operation = operationsOf(document).find(({ operationId }) => operationId === route);
  if (operation === undefined) return null;
  const answer = answerOf(operation);
  const defs = reached(answer, document.components.schemas);
  return pointed({ $schema: "https://json-schema.org/draft/2020-12/schema", ...answer, $defs: defs });
}

function operationsOf({ paths }: OpenApiAnswer): readonly Json[] {
  return Object.values(paths).flatMap((operations) => Object.values(operations));
}

function answerOf({ responses }: Json): Json {
  const success = Object.entries(objectIn(responses)).find(([status]) => status.startsWith("2"));
  return objectIn(objectIn(objectIn(objectIn(success?.[1]).content)["application/json"]).schema);
}

/** The schemas that one refers to, and those that they refer to. */
function reached(schema: Json, schemas: OpenApiAnswer["components"]["schemas"]): Json {
  const found = new Map<string, Json>();
  const follow = (from: Json): void => {
    for (const [, name = ""] of JSON.stringify(from).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const next = schemas[name];
      if (next === undefined || found.has(name)) continue;
      found.set(name, next);
      follow(next);
    }
  };
  follow(schema);
  return Object.fromEntries(found);
}

function pointed(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? value.replace(COMPONENTS, "#/$defs/") : value,
  );
}

function objectIn(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
