import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/commands.js";
import { addressedBody, addressedCommands } from "../../src/fleet/addressed-commands.js";
import { answering, errorAnswer } from "../fixtures/answering.js";
import { nodeAnswer } from "../fixtures/node-answer.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

describe("commands that a node suggests", () => {
  test.each([
    [
      "Allow it once with `tmpm approve api`, or refuse it with `tmpm deny api`.",
      "Allow it once with `tmpm approve build1:api`, or refuse it with `tmpm deny build1:api`.",
    ],
    ["`tmpm send api --receipt 1a2b` shows it", "`tmpm send build1:api --receipt 1a2b` shows it"],
    ["`tmpm stop build1:api`", "`tmpm stop build1:api`"],
    ["`tmpm new --agent claude`", "`tmpm new --agent claude --on build1`"],
    ["`tmpm group g --on build1`", "`tmpm group g --on build1`"],
    ["`tmpm ls`, `tmpm nodes doctor build1`", "`tmpm ls`, `tmpm nodes doctor build1`"],
    ["`tmpm send --now`, `tmpm undo`", "`tmpm send --now --on build1`, `tmpm undo --on build1`"],
    ["Run `tmpm doctor --fix`.", "Run `tmpm doctor --fix` on build1."],
  ])("%j", (text, expected) => {
    expect(addressedCommands(text, "build1")).toBe(expected);
    expect(addressedCommands(expected, "build1")).toBe(expected);
  });

  test("of every verb name the node, unless the verb includes all nodes or takes no node", async () => {
    for (const [verb, load] of COMMANDS) {
      const { args } = await load();
      const isOfSession = Object.values(args)[0]?.label === "SESSION";
      const placed = addressedCommands(`\`tmpm ${verb} x\``, "build1");
      const same = [`\`tmpm ${verb} x\``, `\`tmpm ${verb} x --on build1\``, `\`tmpm ${verb} x\` on build1`];
      if (isOfSession) expect(placed).toBe(`\`tmpm ${verb} build1:x\``);
      else expect(same).toContain(placed);
    }
  });

  test("are in hints only: the texts of agents are unchanged", () => {
    const body = { hint: "`tmpm stop a`", nested: [{ hint: "`tmpm stop b`", text: "`tmpm stop c`" }] };
    expect(JSON.parse(addressedBody(JSON.stringify(body), "n"))).toEqual({
      hint: "`tmpm stop n:a`",
      nested: [{ hint: "`tmpm stop n:b`", text: "`tmpm stop c`" }],
    });
    expect(addressedBody('not JSON "hint":"', "n")).toBe('not JSON "hint":"');
  });
});

describe("verbs at a node", () => {
  const hint = "Allow it once with `tmpm approve api`.";
  const receipt = {
    id: "1a2b3c4d-0000",
    outcome: "held",
    reason: "working",
    bytes: 2,
    evidence: [],
    altered: null,
    hint: "Wait with `tmpm wait api`.",
  };

  test("show the hints of sessions, receipts and errors with the address, also as JSON", async () => {
    await using here = await answering(() => ({ body: nodeAnswer() }), {
      build1: ({ url, method }) => {
        if (url.includes("/next")) return { body: { session: sessionAnswer({ name: "api", hint }) } };
        if (method === "POST" && url.includes("/send")) return { body: { receipt, session: sessionAnswer({ name: "api" }) } };
        return errorAnswer(409, { code: "INVALID_STATE", message: "it waits", hint });
      },
    });
    expect((await here.tmpm("next", "--print", "--node", "build1")).stdout).toContain("`tmpm approve build1:api`");
    const sent = await here.tmpm("send", "build1:api", "hi");
    expect(sent.stderr).toBe(
      "tmpm: Wait with `tmpm wait build1:api`.\n      `tmpm send build1:api --receipt 1a2b3c4d` shows its outcome.\n",
    );
    expect((await here.tmpm("stop", "build1:api")).stderr).toContain("`tmpm approve build1:api`");
    expect(JSON.parse((await here.tmpm("interrupt", "api", "--on", "build1", "--json")).stdout).error.hint).toContain(
      "`tmpm approve build1:api`",
    );
  });

  test("suggest commands of their own with the address, too", async () => {
    await using here = await answering(() => ({ body: nodeAnswer() }), {
      build1: () => ({ body: { session: "api", comments: [], next: null } }),
    });
    expect((await here.tmpm("comment", "build1:api")).stderr).toContain("`tmpm comment build1:api FILE:LINE TEXT`");
  });
});
