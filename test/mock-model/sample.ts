import { object, text } from "./json.js";

/** A small value that matches a JSON Schema as used by agents. */
export function sample(schema: unknown, name = ""): unknown {
  const fields = object(schema);
  if ("const" in fields) return fields.const;
  if (Array.isArray(fields.enum)) return fields.enum[0];
  const choice = [fields.anyOf, fields.oneOf].find(Array.isArray);
  if (choice !== undefined) return sample(choice[0], name);
  switch (typeOf(fields.type)) {
    case "array":
      return Array.from({ length: Number(fields.minItems ?? 0) }, () => sample(fields.items, name));
    case "number":
    case "integer":
      return Number(fields.minimum ?? 1);
    case "boolean":
      return false;
    case "string":
      return name === "" ? "mock" : `mock ${name}`;
    default:
      return members(fields);
  }
}

function members(fields: Readonly<Record<string, unknown>>): unknown {
  const properties = object(fields.properties);
  const required = Array.isArray(fields.required) ? fields.required.map(text) : Object.keys(properties);
  return Object.fromEntries(required.map((name) => [name, sample(properties[name], name)]));
}

function typeOf(type: unknown): string {
  const first: unknown = Array.isArray(type) ? type.find((each) => each !== "null") : type;
  return text(first).toLowerCase();
}
