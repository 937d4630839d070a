import { expect, test } from "vitest";
import { answering, errorAnswer } from "../fixtures/answering.js";
import { nodeAnswer } from "../fixtures/node-answer.js";

/** Names that are reserved for tests never resolve (RFC 6761), so that a request to the host fails with status 6. */
const INSTALL = ["--ssh", "build1.invalid", "--install", "--yes", "--json"] as const;

test.each([
  ["a label in use", ["build1", ...INSTALL], 4, { code: "NAME_TAKEN", message: "a node named build1 already exists" }],
  [
    "a reserved label",
    ["any", ...INSTALL],
    2,
    { message: expect.stringMatching(/^NODE: use lower-case .* any, all and local are reserved$/) },
  ],
  [
    "a wrong capability",
    ["new", ...INSTALL, "--label", "arm", "--label", "Big"],
    2,
    { message: expect.stringMatching(/^--label "Big": use/) },
  ],
  [
    "a list of too many capabilities",
    ["new", ...INSTALL, ...Array.from({ length: 21 }, (_, at) => ["--label", `c${at}`]).flat()],
    2,
    { message: "--label: at most 20" },
  ],
  ["a host like an option", ["new", "--ssh", "-oA=b", "--install", "--yes", "--json"], 2, { message: "--ssh: not a valid host for ssh" }],
] as const)("%s is refused before tmpm is installed on the node", async (_, words, status, error) => {
  await using here = await answering(() => ({ body: nodeAnswer() }));
  const { exit, stdout } = await here.tmpm("nodes", "add", ...words);
  expect([exit, JSON.parse(stdout).error]).toMatchObject([status, error]);
  expect(here.asked.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a new label is installed before it is added", async () => {
  await using here = await answering(() => errorAnswer(404, { code: "NODE_NOT_FOUND", message: "unknown node new" }));
  const { exit, stdout } = await here.tmpm("nodes", "add", "new", ...INSTALL);
  expect([exit, JSON.parse(stdout).error]).toMatchObject([6, { code: "NODE_OFFLINE" }]);
  expect(here.asked).toMatchObject([{ method: "GET", url: "/v1/nodes/new" }]);
});
