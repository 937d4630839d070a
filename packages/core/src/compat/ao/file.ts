import { invalidField } from "../reading.js";

/** ao-rs uses these in paths unchecked, so only plain names are written. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

interface Named {
  readonly id?: unknown;
  readonly project_id?: unknown;
}

export function fileOf({ id, project_id }: Named, { archived }: { readonly archived: boolean }): string {
  return `sessions/${plainName("project_id", project_id)}/${archived ? ".archive/" : ""}${plainName("id", id)}.yaml`;
}

function plainName(field: string, value: unknown): string {
  if (typeof value === "string" && PLAIN_NAME.test(value)) return value;
  throw invalidField(field, `${JSON.stringify(value)} cannot be the name of a file`);
}
