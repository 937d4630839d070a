import type { OpenApiAnswer } from "@tmpm/api";
import { openApi } from "@tmpm/api/openapi";
import { Ajv2020 } from "ajv/dist/2020.js";
import { answerSchema } from "../../src/answer-schema.js";
import { overview } from "../../src/commands/overview.js";
import { commands } from "./all-commands.js";

const document: OpenApiAnswer = JSON.parse(JSON.stringify(openApi({ version: "0.0.0" })));

const definitions = JSON.stringify(document.components.schemas).replaceAll("#/components/schemas/", "#/$defs/");
const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, inlineRefs: false });
ajv.addSchema({ $id: "answers", $defs: JSON.parse(definitions) });

/** The published schema of each command's output; null without one. */
export const schemas = new Map(
  [...commands, { ...overview, name: "overview" }].map((command) => [command.name, shared(answerSchema(document, command))]),
);

/** @throws Error for an invalid schema */
export function compileSchema(schema: object): void {
  ajv.compile(schema);
}

/** The reasons why a command's output does not match its schema; empty if it does. */
export function schemaFaults(name: string, value: unknown): string {
  const check = ajv.compile(schemas.get(name) ?? { not: {} });
  return check(value) ? "" : `${ajv.errorsText(check.errors)}: ${JSON.stringify(value).slice(0, 300)}`;
}

/** The same without the definitions that all schemas share, so that these are compiled once. */
function shared(schema: Readonly<Record<string, unknown>> | null): object | null {
  if (schema === null) return null;
  const { $defs: _, ...own } = schema;
  return JSON.parse(JSON.stringify(own).replaceAll('"#/$defs/', '"answers#/$defs/'));
}
