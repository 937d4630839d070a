import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { OpenApiAnswer } from "@tmpm/api";
import { openApi } from "@tmpm/api/openapi";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { answerSchema } from "../../src/answer-schema.js";
import { overview } from "../../src/commands/overview.js";
import { errorAnswer, runIn } from "../answering.js";
import { asking, commands, firstOfEach, names } from "./all-commands.js";
import { answeringByContract } from "./answering-by-contract.js";
import { EXAMPLE_CONFIG, exampleHome, withJson } from "./example-home.js";

const PATIENCE = 120_000;

describe("an error of the daemon", () => {
  test.each([
    [404, "SESSION_NOT_FOUND", 3],
    [504, "TMUX_UNRESPONSIVE", 6],
  ])(
    "%i %s ends every command with its exit status: a message for people, the envelope for programs",
    { timeout: PATIENCE },
    async (status, code, exit) => {
      using home = exampleHome();
      await using daemon = await answeringByContract(() => errorAnswer(status, { code, message: "it is so", hint: "Do this." }));
      for (const { name, argv } of firstOfEach) {
        const programs = await daemon.tmpm(...withJson(home.placed(argv)));
        expect([name, programs.exit, programs.stderr]).toEqual([name, exit, ""]);
        expect([name, JSON.parse(programs.stdout)]).toMatchObject([name, { error: { code, message: "it is so", hint: "Do this." } }]);
        if (NEEDS_TERMINAL.has(name)) continue;
        const people = await daemon.tmpm(...home.placed(argv));
        expect([name, people]).toEqual([name, { exit, stdout: "", stderr: "tmpm: it is so\n      Do this.\n" }]);
      }
    },
  );
});

describe("output of a command", () => {
  const document: OpenApiAnswer = JSON.parse(JSON.stringify(openApi({ version: "0.0.0" })));
  const definitions = JSON.stringify(document.components.schemas).replaceAll("#/components/schemas/", "#/$defs/");
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, inlineRefs: false });
  ajv.addSchema({ $id: "answers", $defs: JSON.parse(definitions) });
  const schemas = new Map(
    [...commands, { ...overview, name: "overview" }].map((command) => [command.name, shared(answerSchema(document, command))]),
  );

  test("has a published schema, except for commands that take over the terminal", () => {
    const without = names.filter((name) => schemas.get(name) === null);
    expect(without).toEqual(commands.filter(({ printed }) => printed === "nothing").map(({ name }) => name));
    for (const schema of schemas.values()) if (schema !== null) ajv.compile(schema);
  });

  test("as JSON matches its schema; for people it has the same status, in printable lines", { timeout: PATIENCE }, async () => {
    using home = exampleHome();
    using other = exampleHome();
    await using daemon = await answeringByContract();
    writeFileSync(join(daemon.home, "config.yaml"), EXAMPLE_CONFIG);
    for (const { name, line, argv } of asking) {
      const programs = await daemon.tmpm(...withJson(home.placed(argv)));
      expect([line, programs.stderr]).toEqual([line, ""]);
      for (const value of programs.stdout.trimEnd().split("\n")) expect([line, faults(name, JSON.parse(value))]).toEqual([line, ""]);
      if (NEEDS_TERMINAL.has(name)) continue;
      const { exit, stdout, stderr } = await daemon.tmpm(...other.placed(argv));
      expect([line, exit]).toEqual([line, programs.exit]);
      expect([line, stdout]).toEqual([line, expect.stringMatching(/^(?:\P{Cc}*\n)*$/u)]);
      expect([line, stderr]).toEqual([line, expect.stringMatching(/^(?:tmpm: \P{Cc}+\n(?: {6}\P{Cc}+\n)*)*$/u)]);
    }
    const status = JSON.parse((await daemon.tmpm("daemon", "status", "--json")).stdout);
    expect([status, faults("daemon", status)]).toEqual([expect.objectContaining({ service: expect.anything() }), ""]);
    expect(faults("overview", JSON.parse((await daemon.tmpm("--json")).stdout))).toBe("");
  });

  /** The same without the definitions that all schemas share, so that these are compiled once. */
  function shared(schema: Readonly<Record<string, unknown>> | null): object | null {
    if (schema === null) return null;
    const { $defs: _, ...own } = schema;
    return JSON.parse(JSON.stringify(own).replaceAll('"#/$defs/', '"answers#/$defs/'));
  }

  function faults(name: string, value: unknown): string {
    const check = ajv.compile(schemas.get(name) ?? { not: {} });
    return check(value) ? "" : `${ajv.errorsText(check.errors)}: ${JSON.stringify(value).slice(0, 300)}`;
  }
});

test("without a daemon every command ends at once, with the exit status for that", { timeout: PATIENCE }, async () => {
  using home = exampleHome();
  const env = { TMPM_URL: await deadAddress(), TMPM_TOKEN: "x", TMPM_CONFIG: home.config };
  for (const { name, argv } of firstOfEach) {
    const { exit, stdout, stderr } = await runIn(env, home.placed(argv));
    expect([name, exit, stdout]).toEqual([name, NEEDS_TERMINAL.has(name) ? 2 : 6, ""]);
    expect(stderr).toMatch(/^tmpm: /);
  }
});

/** Commands that fail without one before they send a request. */
const NEEDS_TERMINAL: ReadonlySet<string> = new Set(["attach"]);

/** A socket without a listener. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 1}`;
}
