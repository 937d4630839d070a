import { TmpmError } from "@tmpm/core";
import { answerNames, answerSchema, verbAnswers } from "../answer-schema.js";
import { command } from "../command.js";
import { FLAG, listOf, NO_NEXT, objectOf, TEXT } from "../printed.js";
import { facts } from "../render/facts.js";
import { overview } from "./overview.js";

export const schema = command({
  name: "schema",
  group: "Set up tmpm",
  summary: "Print the JSON Schema of a command's --json output",
  more: `Without a verb, lists the available schemas; overview is the output of \`tmpm\` alone.

  tmpm schema
  tmpm schema ls > ls.schema.json`,
  args: { verb: { takes: "optional", label: "VERB", summary: "A verb, or a route of the API" } },
  options: {},
  printed: {
    forms: [
      objectOf({
        verbs: listOf(objectOf({ verb: TEXT, answers: listOf(TEXT), per_line: FLAG })),
        routes: listOf(objectOf({ route: TEXT, answer: TEXT })),
        ...NO_NEXT,
      }),
      objectOf({ $schema: TEXT }),
    ],
  },
  async run({ verb }, context) {
    const document = await context.client().openapi();
    const commands = [{ ...overview, name: "overview" }, ...(await context.commands())];
    if (verb === undefined) {
      return { kind: "names" as const, verbs: verbAnswers(commands), routes: answerNames(document) };
    }
    const found = answerSchema(document, commands.find(({ name, printed }) => name === verb && printed !== "nothing") ?? { name: verb });
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
