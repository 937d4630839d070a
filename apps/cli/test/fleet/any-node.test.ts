import { CONTRACTS } from "@tmpm/api";
import { expect, test } from "vitest";
import { type Asked, answering } from "../fixtures/answering.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

const session = sessionAnswer();
const node = CONTRACTS.node.example.answer;
const NODES = [
  { ...node, label: "a", labels: [] },
  { ...node, label: "b", labels: ["gpu"] },
  { ...node, label: "c", labels: ["gpu", "large"] },
];

/** This machine has one session, `a` none, `b` two, `c` three. */
const ON = [null, "b", "b", "c", "c", "c"];

function fleet({ url, method }: Asked) {
  if (url === "/v1/nodes") return { body: { nodes: NODES, next: null } };
  if (method === "POST") return { status: 201, body: { ...session, receipt: null } };
  const wanted = new URL(url, "http://x").searchParams.getAll("node");
  const chosen = wanted.length === 0 ? [null, "a", "b", "c"] : wanted;
  const sessions = ON.filter((each) => chosen.includes(each)).map((each) => ({ ...session, state: "active", node: each, was: null }));
  const nodes = chosen.map((each) => ({ node: each, complete: each !== "a", as_of: null, presence: "online", reason: null }));
  return { body: { sessions, problems: [], complete: false, nodes, next: null } };
}

test("--on any chooses the machine with the fewest running sessions among those that answer", async () => {
  await using daemon = await answering(fleet);
  const { exit, stderr } = await daemon.tmpm("new", "--on", "any", "--", "cat");
  expect([exit, stderr]).toEqual([0, "tmpm: on this machine: 1 running session, the fewest of 3 machines that answer\n"]);
});

test.each([
  [["gpu"], "b"],
  [["gpu", "large"], "c"],
])("--label %j limits it to the nodes with all these labels", async (labels, chosen) => {
  await using daemon = await answering(fleet);
  const { stderr } = await daemon.tmpm("new", "--on", "any", ...labels.flatMap((label) => ["--label", label]), "--", "cat");
  // Only a user's daemon has the sockets of nodes.
  expect(stderr).toContain(`unknown node ${chosen}`);
  expect(daemon.asked.filter(({ method }) => method === "POST")).toEqual([]);
});

test("an unknown label, a label without --on any, and --on any with another verb start nothing", async () => {
  await using daemon = await answering(fleet);
  expect(await daemon.tmpm("new", "--on", "any", "--label", "tpu", "--", "cat")).toMatchObject({
    exit: 3,
    stderr: expect.stringContaining("no node with label tpu exists"),
  });
  expect(await daemon.tmpm("new", "--label", "gpu", "--", "cat")).toMatchObject({ exit: 2 });
  expect(await daemon.tmpm("ls", "--on", "any")).toMatchObject({ exit: 2 });
  expect(daemon.asked.filter(({ method }) => method === "POST")).toEqual([]);
});
