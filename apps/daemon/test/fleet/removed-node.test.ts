import { TmpmError } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { expect, test } from "vitest";
import type { Fleet } from "../../src/fleet/fleet.js";
import type { KeptNode, KeptSessions } from "../../src/fleet/node-record.js";
import type { KeptPrompt } from "../../src/fleet/waiting-prompts.js";
import { nodesFixture } from "../fixtures/nodes-fixture.js";

const AT = "2026-01-02T11:00:00Z";
const SSH = { host: "far", command: null };
const SEEN = { node_id: "5c1f", host_name: "far", user: "ada", home: "/home/ada", version: "0.1.0", at: AT };
const FULL = new TmpmError("STORAGE_FULL", "the disk is full");

/** A node that has answered once, with a prompt that waits for it. */
async function stores() {
  const kept = { nodes: memoryDocuments<KeptNode>(), sessions: memoryDocuments<KeptSessions>(), prompts: memoryDocuments<KeptPrompt>() };
  await kept.nodes.put("far", { schema_version: 1, label: "far", ssh: SSH, nats: null, labels: [], added_at: AT, seen: SEEN });
  const before = await nodesFixture({ stores: kept });
  const sent = { node: "far", session: "api", prompt: "secret", expires_ms: undefined, idempotency_key: undefined };
  expect(await before.routes.addNodePrompt(sent)).toMatchObject({ state: "waiting" });
  await before.close();
  return kept;
}

async function states({ routes }: Fleet): Promise<readonly string[]> {
  return (await routes.nodePrompts({ node: [] })).prompts.map(({ state, reason }) => `${state}: ${reason}`);
}

test("the prompts of a node end with it, also if the daemon is killed after it deleted the record", async () => {
  const kept = await stores();
  const killed = await nodesFixture({ stores: kept });
  kept.prompts.failWith(FULL);
  await expect(killed.routes.removeNode({ node: "far" })).rejects.toMatchObject({ code: "STORAGE_FULL" });
  expect((await kept.nodes.all()).documents.size).toBe(0);
  await killed.close();
  kept.prompts.failWith(null);
  const next = await nodesFixture({ stores: kept });
  expect(await states(next)).toEqual(["cancelled: the node was removed"]);
  await next.close();
});

test("a prompt that could not be ended with its node is not for the next node with the label", async () => {
  const kept = await stores();
  const fleet = await nodesFixture({ stores: kept });
  kept.prompts.failWith(FULL);
  await expect(fleet.routes.removeNode({ node: "far" })).rejects.toMatchObject({ code: "STORAGE_FULL" });
  await expect(fleet.routes.addNode({ label: "far", ssh: SSH })).rejects.toMatchObject({ code: "STORAGE_FULL" });
  kept.prompts.failWith(null);
  expect(await fleet.routes.addNode({ label: "far", ssh: SSH })).toMatchObject({ label: "far", waiting: 0 });
  expect(await states(fleet)).toEqual(["cancelled: the node was removed"]);
  await fleet.close();
});

test("prompts are kept while the record of a node cannot be read", async () => {
  const kept = await stores();
  kept.nodes.all = async () => ({ documents: new Map(), damaged: [{ path: "/nodes/1.json", reason: "permission denied" }] });
  const fleet = await nodesFixture({ stores: kept });
  expect(await states(fleet)).toEqual(["waiting: null"]);
  await fleet.close();
});

test("adding a node whose record cannot be read fails, and keeps its prompts", async () => {
  const kept = await stores();
  kept.nodes.all = async () => ({ documents: new Map(), damaged: [{ path: "/nodes/1.json", reason: "permission denied" }] });
  const unreadable = new TmpmError("STORE_DEGRADED", "/nodes/1.json cannot be read");
  kept.nodes.get = () => Promise.reject(unreadable);
  const fleet = await nodesFixture({ stores: kept });
  await expect(fleet.routes.addNode({ label: "far", ssh: SSH })).rejects.toBe(unreadable);
  expect(await states(fleet)).toEqual(["waiting: null"]);
  await fleet.close();
});

test("adding a node again that could not be connected at the start keeps its prompts", async () => {
  const kept = await stores();
  const { documents } = await kept.nodes.all();
  kept.nodes.all = async () => ({ documents: new Map(), damaged: [{ path: "/nodes/2.json", reason: "permission denied" }] });
  const fleet = await nodesFixture({ stores: kept });
  expect(documents.has("far")).toBe(true);
  expect(await fleet.routes.addNode({ label: "far", ssh: SSH })).toMatchObject({ waiting: 1 });
  expect(await states(fleet)).toEqual(["waiting: null"]);
  await fleet.close();
});
