import { TmpmError } from "@tmpm/core";
import { answerNames, answerSchema, verbAnswers } from "../answer-schema.js";
import { command } from "../command.js";
import { PRINTS_NOTHING } from "../printed-forms.js";
import { facts } from "../render/facts.js";

export const schema = command({
  name: "schema",
  summary: "Print the JSON Schema of a command's --json output",
  more: `Without a verb, lists the available schemas; overview is the output of \`tmpm\` alone.

  tmpm schema
  tmpm schema ls > ls.schema.json`,
  args: { verb: { takes: "optional", label: "VERB", summary: "A verb, or a route of the API" } },
  options: {},
  async run({ verb }, context) {
    const document = await context.client().openapi();
    if (verb === undefined) {
      const verbs = context.verbs.filter((name) => !PRINTS_NOTHING.has(name));
      return { kind: "names" as const, verbs: verbAnswers(["overview", ...verbs]), routes: answerNames(document) };
    }
    const found = answerSchema(document, verb);
    if (found !== null) return { kind: "schema" as const, schema: found };
    throw new TmpmError("INVALID_ARGUMENT", `unknown verb or route ${JSON.stringify(verb)}`, { hint: "`tmpm schema` lists them." });
  },
  render(result, view) {
    if (result.kind === "schema") return JSON.stringify(result.schema, null, 2);
    const verbs = result.verbs.map(({ verb, answers, per_line }) => [verb, `${answers.join(", ")}${per_line ? " (one per line)" : ""}`]);
    const rows = [
      ["VERB", "PRINTS THE ANSWER OF"],
      ...verbs,
      ["", ""],
      ["ROUTE", "ANSWER"],
      ...result.routes.map(({ route, answer }) => [route, answer]),
    ];
    return facts(rows, view);
  },
  verbatim: ({ kind }) => kind === "schema",
  json: (result) => JSON.stringify(result.kind === "schema" ? result.schema : { verbs: result.verbs, routes: result.routes, next: null }),
});
