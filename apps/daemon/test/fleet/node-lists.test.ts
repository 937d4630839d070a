import type { FleetList } from "@tmpm/api";
import type { NodeLink } from "@tmpm/fleet";
import { memoryDocuments } from "@tmpm/store/memory";
import { expect, test } from "vitest";
import type { Fleet } from "../../src/fleet/fleet.js";
import type { KeptNode, KeptSessions } from "../../src/fleet/node-record.js";
import type { KeptPrompt } from "../../src/fleet/waiting-prompts.js";
import { nodesFixture } from "../fixtures/nodes-fixture.js";
import { type SimulatedNode, simulatedNode } from "../fixtures/simulated-node.js";

const NODE = { label: "far", ssh: { host: "far", command: null } };
const PATIENCE_MS = 20_000;

function namesIn({ sessions }: FleetList): readonly string[] {
  return sessions.map(({ name }) => name);
}

function list(fleet: Fleet): Promise<FleetList> {
  return fleet.list({ node: ["far"], within_ms: PATIENCE_MS, issue_id: undefined, state: undefined, fields: undefined }, async () => {
    throw new Error("this machine was asked");
  });
}

/** What is at the host now; null while it is unreachable. */
function host() {
  const at: { node: SimulatedNode | null } = { node: null };
  return {
    at,
    async connect(): Promise<NodeLink> {
      if (at.node === null) throw new Error("the network is down");
      return at.node.connect();
    },
  };
}

function stores() {
  return { nodes: memoryDocuments<KeptNode>(), sessions: memoryDocuments<KeptSessions>(), prompts: memoryDocuments<KeptPrompt>() };
}

test("another machine behind the same label never shows the sessions of the former one", async () => {
  const kept = stores();
  const far = host();
  far.at.node = simulatedNode(1, { sessions: 1 });
  const before = await nodesFixture({ connect: far.connect, stores: kept });
  await before.routes.addNode({ ...NODE, wait_ms: PATIENCE_MS });
  expect(namesIn(await list(before))).toEqual(["s1-0"]);
  await before.close();

  // The next daemon finds the list, and then another machine.
  far.at.node = null;
  const after = await nodesFixture({ connect: far.connect, stores: kept });
  try {
    expect(namesIn(await list(after))).toEqual(["s1-0"]);
    const other = simulatedNode(2, { sessions: 1 });
    far.at.node = other;
    await expect.poll(async () => namesIn(await list(after))).toEqual(["s2-0"]);
    other.wire.cut();
    far.at.node = null;
    await expect.poll(async () => (await list(after)).complete).toBe(false);
    expect(namesIn(await list(after))).toEqual(["s2-0"]);
    expect((await kept.sessions.all()).documents.size).toBe(1);
  } finally {
    await after.close();
  }
});

test("the list of a node that was removed without its list is deleted at the next start", async () => {
  const kept = stores();
  const as_of = "2026-01-02T11:00:00Z";
  await kept.sessions.put("0123 gone", { as_of, sessions: [], problems: [] });
  const fleet = await nodesFixture({ stores: kept });
  await fleet.close();
  expect((await kept.sessions.all()).documents.size).toBe(0);
});

test("a list is kept while the record of its node cannot be read", async () => {
  const kept = stores();
  const as_of = "2026-01-02T11:00:00Z";
  await kept.sessions.put("0123 far", { as_of, sessions: [], problems: [] });
  kept.nodes.all = async () => ({ documents: new Map(), damaged: [{ path: "/nodes/1.json", reason: "permission denied" }] });
  const fleet = await nodesFixture({ stores: kept });
  await fleet.close();
  expect([...(await kept.sessions.all()).documents.keys()]).toEqual(["0123 far"]);
});

test.each(["../../outside", "a/b", "A", "", ".", "a".repeat(33)])(
  "a record whose label is %j opens no socket, and does not affect others",
  async (label) => {
    const kept = stores();
    const record: KeptNode = { ...NODE, schema_version: 1, nats: null, labels: [], added_at: "2026-01-02T11:00:00Z", seen: null };
    await kept.nodes.put(label, { ...record, label });
    await kept.nodes.put("far", record);
    const reported: string[] = [];
    const fleet = await nodesFixture({ stores: kept, report: ({ doing }) => reported.push(doing) });
    try {
      expect((await fleet.routes.nodes()).nodes.map((node) => node.label)).toEqual(["far"]);
      expect(reported).toEqual([`connect to node ${label}`]);
    } finally {
      await fleet.close();
    }
  },
);
