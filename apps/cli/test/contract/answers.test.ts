import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { runIn } from "../fixtures/answering.js";
import { commands, firstOfEach, names } from "./all-commands.js";
import { answeringByContract } from "./answering-by-contract.js";
import { errorsContract, NEEDS_TERMINAL, outputContract } from "./answers-contract.js";
import { exampleHome } from "./example-home.js";
import { compileSchema, schemaFaults, schemas } from "./schema-faults.js";

const PATIENCE = 120_000;

describe("a command with this machine's daemon", () => {
  errorsContract({ start: answeringByContract });
  outputContract({ start: answeringByContract });
});

test("the output of every command has a published schema, except for commands that take over the terminal", () => {
  const without = names.filter((name) => schemas.get(name) === null);
  expect(without).toEqual(commands.filter(({ printed }) => printed === "nothing").map(({ name }) => name));
  for (const schema of schemas.values()) if (schema !== null) compileSchema(schema);
});

test("the daemon's status and the overview match their schemas", async () => {
  await using daemon = await answeringByContract();
  const status = JSON.parse((await daemon.tmpm("daemon", "status", "--json")).stdout);
  expect([status, schemaFaults("daemon", status)]).toEqual([expect.objectContaining({ service: expect.anything() }), ""]);
  expect(schemaFaults("overview", JSON.parse((await daemon.tmpm("--json")).stdout))).toBe("");
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

/** A socket without a listener. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 1}`;
}
