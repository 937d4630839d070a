import { expect, test } from "vitest";
import { answering } from "../fixtures/answering.js";
import { nodeAnswer } from "../fixtures/node-answer.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

const EVIL = "a\u001b[2J\u009b1m\u202eb";
const SHOWN = "a\\x1b[2J\\x9b1m\\u202eb";

test("the hint of a node reaches the terminal as visible text", async () => {
  const node = nodeAnswer({ presence: "offline", hint: EVIL });
  await using here = await answering(() => ({ body: node }));
  const { stderr } = await here.tmpm("nodes", "add", "build1", "--ssh", "build1");
  expect(stderr).toContain(SHOWN);
  expect(stderr).not.toContain("\u001b");
});

test("a node that is named twice is queried once", async () => {
  const counts = { total: 2, live: 1, limit: null, agents: [], projects: [], owners: [] };
  await using here = await answering(() => ({ body: nodeAnswer() }), { build1: () => ({ body: counts }) });
  const { stdout } = await here.tmpm("counts", "--node", "build1", "--node", "build1", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ total: 2, live: 1, nodes: [{ node: "build1", complete: true }] });
  expect(here.askedAt("build1")).toHaveLength(1);
});

test("an unknown field of a newer session is shown, with any name", async () => {
  await using here = await answering(() => ({ body: { ...sessionAnswer(), constructor: EVIL } }));
  const { exit, stdout } = await here.tmpm("show", "demo");
  expect(exit).toBe(0);
  expect(stdout).not.toContain("\u001b");
});
