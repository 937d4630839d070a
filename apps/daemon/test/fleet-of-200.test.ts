import type { FleetList } from "@tmpm/api";
import { expect, test } from "vitest";
import { nodesFixture } from "./nodes-fixture.js";
import { type SimulatedNode, simulatedNode } from "./simulated-node.js";

const NODES = 200;
const SESSIONS = 50;

test("200 nodes of 50 sessions form one list, with the silent nodes named and their sessions marked as outdated", async () => {
  const nodes = new Map<string, SimulatedNode>();
  for (let number = 1; number <= NODES; number++) nodes.set(`node${number}`, simulatedNode(number, { sessions: SESSIONS }));
  const fleet = await nodesFixture({
    connect: async ({ label }) => {
      const node = nodes.get(label);
      if (node === undefined || gone.has(label)) throw new Error("the network is down");
      return node.connect();
    },
  });
  const gone = new Set<string>();
  try {
    for (const label of nodes.keys()) await fleet.routes.addNode({ label, ssh: { host: label, command: null } });
    const own = async () => ({ sessions: [], problems: [], store: { state: "ok" as const, message: null }, next: null });
    const list = (): Promise<FleetList> => fleet.list({ node: [], issue_id: undefined, state: undefined, fields: undefined }, own);

    const before = traffic(nodes);
    const all = await list();
    expect([all.complete, all.nodes.length, all.sessions.length]).toEqual([true, NODES + 1, NODES * SESSIONS]);
    expect(new Set(all.sessions.map(({ id }) => id)).size).toBe(NODES * SESSIONS);
    const listed = traffic(nodes) - before;
    // Nodes only get requests for their list: one at the first connection, and one here.
    expect(listed).toBeLessThan(3 * JSON.stringify(all.sessions).length);

    // It no longer answers, and nothing reports it. The work on 199 answers takes longer than the wait for one, and makes none of them late.
    nodes.get("node50")?.wire.stall();
    const but = await list();
    expect(but.nodes.filter(({ complete }) => !complete)).toMatchObject([{ node: "node50", reason: "no answer within 300 ms" }]);
    expect(but.sessions.length).toBe(NODES * SESSIONS);
    nodes.get("node50")?.wire.resume();

    for (const label of ["node7", "node77", "node177"]) {
      gone.add(label);
      nodes.get(label)?.wire.cut();
    }
    await expect.poll(async () => (await fleet.routes.nodes()).nodes.filter(({ presence }) => presence === "offline").length).toBe(3);
    const rest = await list();
    expect(rest.nodes.filter(({ complete }) => !complete).map(({ node }) => node)).toEqual(["node7", "node77", "node177"]);
    const unknown = rest.sessions.filter(({ activity }) => activity.state === "unknown");
    expect([rest.complete, rest.sessions.length, unknown.length]).toEqual([false, NODES * SESSIONS, 3 * SESSIONS]);
    expect(new Set(unknown.map(({ node }) => node))).toEqual(gone);
  } finally {
    await fleet.close();
  }
});

function traffic(nodes: ReadonlyMap<string, SimulatedNode>): number {
  return [...nodes.values()].reduce((sum, { wire }) => sum + wire.traffic().bytes, 0);
}
