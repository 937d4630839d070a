import { TmpmError } from "@tmpm/core";
import { answerNames, answerSchema } from "../answer-schema.js";
import { command } from "../command.js";
import { columns } from "../render/columns.js";

export const schema = command({
  name: "schema",
  summary: "Print the JSON Schema of what a verb prints with --json",
  more: "Without a verb it lists what there is. `tmpm schema ls > ls.schema.json`",
  args: { verb: { takes: "optional", label: "VERB", summary: "A verb, or a route of the API" } },
  options: {},
  async run({ verb }, context) {
    const document = await context.client().openapi();
    if (verb === undefined) return { kind: "names" as const, routes: answerNames(document) };
    const found = answerSchema(document, verb);
    if (found !== null) return { kind: "schema" as const, schema: found };
    throw new TmpmError("INVALID_ARGUMENT", `no answer is called ${JSON.stringify(verb)}`, { hint: "`tmpm schema` lists them." });
  },
  render: (result) =>
    result.kind === "schema" ? JSON.stringify(result.schema, null, 2) : columns(result.routes.map(({ route, answer }) => [route, answer])),
  json: (result) => JSON.stringify(result.kind === "schema" ? result.schema : { routes: result.routes, next: null }),
});
