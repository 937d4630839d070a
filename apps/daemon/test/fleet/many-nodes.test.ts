import type { FleetList } from "@tmpm/api";
import { eventLoopIdleMs } from "@tmpm/fleet";
import { expect, test } from "vitest";
import { nodesFixture } from "../fixtures/nodes-fixture.js";
import { type SimulatedNode, simulatedNode } from "../fixtures/simulated-node.js";

/** 200 with `TMPM_TEST_SCALE=10`. */
const NODES = Math.min(200, 60 * Math.max(1, Number(process.env.TMPM_TEST_SCALE ?? "1")));
const SESSIONS = 50;

test("many nodes of 50 sessions form one list, with the silent nodes named and their sessions marked as outdated", async () => {
  const nodes = new Map<string, SimulatedNode>();
  for (let number = 1; number <= NODES; number++) nodes.set(`node${number}`, simulatedNode(number, { sessions: SESSIONS }));
  /** When the wait for silent nodes began, as the event loop's idle time in ms; null for a wait without an end. */
  let waitsSince: number | null = null;
  const fleet = await nodesFixture({
    idleMs: () => (waitsSince === null ? 0 : eventLoopIdleMs() - waitsSince),
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

    // It no longer answers, and nothing reports it. The work on all other answers takes longer than the wait for one, and makes none of them late.
    nodes.get("node50")?.wire.stall();
    const asked = [...nodes]
      .filter(([label]) => label !== "node50")
      .map(([, { wire }]) => ({ wire, least: wire.traffic().bytes + RESPONSE_BYTES }));
    const listing = list();
    await expect.poll(() => asked.filter(({ wire, least }) => wire.traffic().bytes < least)).toEqual([]);
    waitsSince = eventLoopIdleMs();
    const but = await listing;
    // A machine that takes longer than the lease for the other answers has dropped the silent link by then, which is another reason.
    expect(but.nodes.filter(({ complete }) => !complete).map(({ node }) => node)).toEqual(["node50"]);
    expect(but.sessions.length).toBe(NODES * SESSIONS);
    nodes.get("node50")?.wire.resume();

    for (const label of ["node7", "node17", "node57"]) {
      gone.add(label);
      nodes.get(label)?.wire.cut();
    }
    await expect.poll(async () => (await fleet.routes.nodes()).nodes.filter(({ presence }) => presence === "offline").length).toBe(3);
    const rest = await list();
    expect(rest.nodes.filter(({ complete }) => !complete).map(({ node }) => node)).toEqual(["node7", "node17", "node57"]);
    const unknown = rest.sessions.filter(({ activity }) => activity.state === "unknown");
    expect([rest.complete, rest.sessions.length, unknown.length]).toEqual([false, NODES * SESSIONS, 3 * SESSIONS]);
    expect(new Set(unknown.map(({ node }) => node))).toEqual(gone);
  } finally {
    await fleet.close();
  }
});

/** Less than what a node sends for its list. */
const RESPONSE_BYTES = SESSIONS * 100;

function traffic(nodes: ReadonlyMap<string, SimulatedNode>): number {
  return [...nodes.values()].reduce((sum, { wire }) => sum + wire.traffic().bytes, 0);
}
