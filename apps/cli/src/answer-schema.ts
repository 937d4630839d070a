import type { OpenApiAnswer } from "@tmpm/api";
import { answersOf, type Printed, type PrintedBy } from "./printed.js";

type Json = Readonly<Record<string, unknown>>;

const COMPONENTS = "#/components/schemas/";

/** Every route, with the name of its response schema. */
export function answerNames(document: OpenApiAnswer): readonly { readonly route: string; readonly answer: string }[] {
  return operationsOf(document).map((operation) => {
    const { $ref } = answerOf(operation);
    return { route: String(operation.operationId), answer: typeof $ref === "string" ? $ref.slice(COMPONENTS.length) : "" };
  });
}

export interface VerbAnswer {
  readonly verb: string;
  /** The routes whose responses it prints; `-` for a form of its own. */
  readonly answers: readonly string[];
  readonly per_line: boolean;
}

/** The output of each command that has one. */
export function verbAnswers(commands: readonly PrintedBy[]): readonly VerbAnswer[] {
  return commands.flatMap((command) => {
    const printed = printedBy(command);
    if (printed === null) return [];
    const answers = printed.forms.map(({ route }) => (typeof route === "string" ? route : "-"));
    return [{ verb: command.name, answers: [...new Set(answers)], per_line: printed.perLine ?? false }];
  });
}

/** The JSON Schema (2020-12) of a command's output, with every schema it refers to; null if it has none. A route is a command that prints its response. */
export function answerSchema(document: OpenApiAnswer, command: PrintedBy): Json | null {
  const { forms, perLine } = printedBy(command) ?? { forms: [] };
  const schemas = forms.map((form) => filled(form, document));
  const [only] = schemas;
  if (only === undefined || schemas.includes(null)) return null;
  const answer = schemas.length === 1 ? only : { anyOf: schemas };
  const defs = reached(answer, document.components.schemas);
  const lines = perLine === true ? { description: "One value per line." } : {};
  return pointed({ $schema: "https://json-schema.org/draft/2020-12/schema", ...lines, ...answer, $defs: defs });
}

function printedBy({ name, printed = answersOf(name) }: PrintedBy): Printed | null {
  return printed === "nothing" ? null : printed;
}

/** A form with its route references resolved; null for an unknown route. */
function filled(form: Json, document: OpenApiAnswer): Json | null {
  if (Array.isArray(form.allOf)) {
    const parts = form.allOf.map((part) => filled(objectIn(part), document));
    return parts.includes(null) ? null : { allOf: parts };
  }
  if (form.route === undefined) return form;
  const operation = operationsOf(document).find(({ operationId }) => operationId === form.route);
  return operation === undefined ? null : answerOf(operation);
}

function operationsOf({ paths }: OpenApiAnswer): readonly Json[] {
  return Object.values(paths).flatMap((operations) => Object.values(operations));
}

function answerOf({ responses }: Json): Json {
  const success = Object.entries(objectIn(responses)).find(([status]) => status.startsWith("2"));
  return objectIn(objectIn(objectIn(objectIn(success?.[1]).content)["application/json"]).schema);
}

/** All schemas that one refers to, transitively. */
function reached(schema: Json | null, schemas: OpenApiAnswer["components"]["schemas"]): Json {
  const found = new Map<string, Json>();
  const follow = (from: Json | null): void => {
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
