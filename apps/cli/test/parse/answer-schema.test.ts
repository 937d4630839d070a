import type { OpenApiAnswer } from "@tmpm/api";
import { openApi } from "@tmpm/api/openapi";
import { describe, expect, test } from "vitest";
import { answerNames, answerSchema } from "../../src/answer-schema.js";
import type { Command } from "../../src/command.js";
import { COMMANDS } from "../../src/commands.js";

const document: OpenApiAnswer = JSON.parse(JSON.stringify(openApi({ version: "0.0.0" })));

describe("the schema of a response", () => {
  test("is self-contained", () => {
    for (const { route } of answerNames(document)) {
      const schema = answerSchema(document, { name: route });
      const defs = new Set(Object.keys((schema?.$defs ?? {}) as object));
      const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = ""]) => ref);
      for (const ref of refs) expect([route, defs.has(ref.replace("#/$defs/", ""))]).toEqual([route, true]);
    }
    expect(answerSchema(document, { name: "list" })).toMatchObject({
      $ref: "#/$defs/SessionList",
      $defs: { SessionAnswer: { type: "object" } },
    });
  });

  test("is listed under the name of its verb", async () => {
    const decided = answerNames(document).find(({ route }) => route === "answer")?.answer;
    expect(answerSchema(document, await commandOf("deny"))).toMatchObject({ $ref: `#/$defs/${decided}` });
    expect(answerSchema(document, await commandOf("ls"))).toMatchObject({
      anyOf: [{ $ref: "#/$defs/SessionList" }, { $ref: "#/$defs/FleetList" }],
    });
    expect(answerSchema(document, { name: "nothing" })).toBeNull();
    const commands = await Promise.all(Array.from(COMMANDS.values(), (load) => load()));
    const missing = commands.filter((command) => answerSchema(document, command) === null);
    expect(missing.map(({ name }) => name)).toEqual(commands.filter(({ printed }) => printed === "nothing").map(({ name }) => name));
  });
});

async function commandOf(verb: string): Promise<Command> {
  const command = await COMMANDS.get(verb)?.();
  if (command === undefined) throw new Error(`no command ${verb}`);
  return command;
}
