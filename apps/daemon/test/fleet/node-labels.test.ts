import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import { nodesFixture } from "../fixtures/nodes-fixture.js";

const NODE = { label: "far", ssh: { host: "far", command: null } };

test("adding two nodes concurrently under one label creates one node and one link", async () => {
  const tried: string[] = [];
  const fleet = await nodesFixture({
    connect: ({ label }) => {
      tried.push(label);
      return Promise.reject(new TmpmError("NODE_OFFLINE", "the network is down"));
    },
  });
  try {
    const added = await Promise.allSettled([fleet.routes.addNode(NODE), fleet.routes.addNode(NODE)]);
    expect(added).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: { code: "NAME_TAKEN" } }]);
    expect(tried).toEqual(["far"]);
    expect((await fleet.routes.nodes()).nodes).toHaveLength(1);
  } finally {
    await fleet.close();
  }
});
