import type { OpenApiAnswer } from "@tmpm/api";
import { openApi } from "@tmpm/api/openapi";
import { describe, expect, test } from "vitest";
import { answerNames, answerSchema } from "../src/answer-schema.js";
import { COMMANDS } from "../src/commands.js";
import { PRINTS_NOTHING } from "../src/printed-forms.js";

const document: OpenApiAnswer = JSON.parse(JSON.stringify(openApi({ version: "0.0.0" })));

describe("the schema of a response", () => {
  test("the schema of a response is self-contained", () => {
    for (const { route } of answerNames(document)) {
      const schema = answerSchema(document, route);
      const defs = new Set(Object.keys((schema?.$defs ?? {}) as object));
      const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = ""]) => ref);
      for (const ref of refs) expect([route, defs.has(ref.replace("#/$defs/", ""))]).toEqual([route, true]);
    }
    expect(answerSchema(document, "list")).toMatchObject({ $ref: "#/$defs/SessionList", $defs: { SessionAnswer: { type: "object" } } });
  });

  test("schemas are listed under the names of verbs", () => {
    const decided = answerNames(document).find(({ route }) => route === "answer")?.answer;
    expect(answerSchema(document, "deny")).toMatchObject({ $ref: `#/$defs/${decided}` });
    expect(answerSchema(document, "ls")).toMatchObject({ anyOf: [{ $ref: "#/$defs/SessionList" }, { $ref: "#/$defs/FleetList" }] });
    expect(answerSchema(document, "nothing")).toBeNull();
    const missing = [...COMMANDS.keys()].filter((verb) => !PRINTS_NOTHING.has(verb) && answerSchema(document, verb) === null);
    expect(missing).toEqual([]);
  });
});
