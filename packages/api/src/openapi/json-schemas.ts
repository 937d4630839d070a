import * as core from "@tmpm/core";
import * as z from "zod";
import * as contracts from "../contracts.js";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Converts zod schemas into JSON Schema 2020-12, and collects the named ones. */
export interface JsonSchemas {
  /** `input` is for requests, `output` for responses, which may have further fields. */
  schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema;
  /** All schemas referenced so far, by name. */
  named(): Readonly<Record<string, JsonSchema>>;
}

/** The target of references. */
export const COMPONENTS = "#/components/schemas/";
const DEFS = "#/$defs/";

/** Schemas are named as the packages export them. */
const NAMES: ReadonlyMap<z.ZodType, string> = new Map(
  [...Object.entries(core), ...Object.entries(contracts)].flatMap(([name, value]) => (value instanceof z.ZodType ? [[value, name]] : [])),
);

const metadata = Object.assign(z.registry<Record<string, unknown>>(), {
  get(schema: z.core.$ZodType) {
    const id = schema instanceof z.ZodType ? NAMES.get(schema) : undefined;
    return { ...z.globalRegistry.get(schema), ...(id === undefined ? {} : { id }) };
  },
});

/** Response schemas must be collected before request schemas. */
export function jsonSchemas(): JsonSchemas {
  const known = new Map<string, JsonSchema>();
  return {
    schemaOf(schema, io) {
      const { $schema, $defs = {}, ...root } = z.toJSONSchema(schema, { io, metadata, override: (made) => simplify(made, io) });
      const defs = new Map(Object.entries($defs).map(([name, def]) => [name, plain(def)]));
      const renamed = io === "input" ? renamedOf(defs, known) : new Map<string, string>();
      for (const [name, def] of defs) known.set(renamed.get(name) ?? name, pointTo(def, renamed));
      return pointTo(plain(root), renamed);
    },
    named: () => Object.fromEntries([...known].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

interface Made {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: JsonSchema;
}

/** Removes or replaces generated keywords that the document does not need. */
function simplify({ zodSchema, jsonSchema }: Made, io: "input" | "output"): void {
  if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if ("inQuery" in jsonSchema) {
    const { inQuery } = jsonSchema;
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    Object.assign(jsonSchema, inQuery);
  }
  if (isMoreThanSession(zodSchema)) {
    const own = ([field]: readonly [string, unknown]) => !(field in contracts.SessionAnswer.shape);
    jsonSchema.properties = Object.fromEntries(Object.entries(jsonSchema.properties ?? {}).filter(own));
    jsonSchema.required = (jsonSchema.required ?? []).filter((field) => own([field, null]));
    jsonSchema.allOf = [{ $ref: `${DEFS}SessionAnswer` }];
  }
}

/** Many responses are a session with a few more fields. */
function isMoreThanSession(schema: z.core.$ZodTypes): boolean {
  if (!(schema instanceof z.ZodObject)) return false;
  const { shape } = contracts.SessionAnswer;
  return schema.shape !== shape && Object.entries(shape).every(([field, value]) => schema.shape[field] === value);
}

/** Removes the id that zod adds to named schemas. */
function plain({ id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** A schema with defaults differs between requests and responses, and so do all schemas that refer to it. */
function renamedOf(defs: ReadonlyMap<string, JsonSchema>, known: ReadonlyMap<string, JsonSchema>): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  for (let before = -1; before !== renamed.size; ) {
    before = renamed.size;
    for (const [name, def] of defs) {
      const answered = known.get(name);
      if (answered !== undefined && JSON.stringify(pointTo(def, renamed)) !== JSON.stringify(answered)) renamed.set(name, `${name}Sent`);
    }
  }
  return renamed;
}

function pointTo(schema: JsonSchema, renamed: ReadonlyMap<string, string>): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key !== "$ref" || typeof value !== "string" || !value.startsWith(DEFS)) return value;
    const name = value.slice(DEFS.length);
    return COMPONENTS + (renamed.get(name) ?? name);
  });
}
