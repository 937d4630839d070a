import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import { type FakeWire, fakeWire } from "../src/fake.js";
import { keepNode } from "../src/index.js";
import { linked } from "./fixture.js";
import { settled, virtualTimer } from "./virtual-timer.js";

function fixture({ reachable = true } = {}) {
  const timer = virtualTimer();
  const wires: FakeWire[] = [];
  const at: number[] = [];
  const network = { reachable };
  const node = keepNode({
    timer,
    connect: async () => {
      at.push(timer.now());
      if (!network.reachable) throw new TmpmError("NODE_OFFLINE", "no route to host");
      const wire = fakeWire({ timer });
      wires.push(wire);
      return linked(wire, { timer }).link;
    },
  });
  return { timer, wires, at, network, node };
}

test("a node is connecting, online, suspect while it is silent, and offline with the reason", async () => {
  const { timer, wires, node } = fixture();
  expect(node.state()).toMatchObject({ presence: "connecting", error: null, heardAt: null });
  await settled();
  expect(node.state()).toMatchObject({ presence: "online", error: null });
  wires[0]?.stall();
  await timer.pass(20_000);
  expect(node.state().presence).toBe("suspect");
  await timer.pass(25_100);
  expect(node.state()).toMatchObject({ presence: "offline", error: { code: "NODE_OFFLINE", message: "silent for 45 s" } });
  await node.close();
});

test("an unreachable node is retried with growing delays, and at once on a request", async () => {
  const { timer, at, network, node } = fixture({ reachable: false });
  await timer.pass(20_000);
  expect(at).toEqual([0, 1_000, 3_000, 8_000, 18_000]);
  network.reachable = true;
  await expect(node.link()).rejects.toMatchObject({ code: "NODE_OFFLINE", message: "no route to host" });
  await timer.pass(10);
  expect((await node.link()).peer.host_name).toBe("build1");
  await node.close();
});

test("the first request waits for the first connection, up to its timeout", async () => {
  const timer = virtualTimer();
  const node = keepNode({ timer, connect: () => new Promise(() => undefined), patienceMs: 5_000 });
  const asked = expect(node.link()).rejects.toMatchObject({ code: "NODE_OFFLINE", message: "the connection is not established yet" });
  await timer.pass(5_000);
  await asked;
  await node.close();
});

test("a broken link is opened again", async () => {
  const { timer, wires, node } = fixture();
  await settled();
  wires[0]?.cut();
  await settled();
  expect(node.state()).toMatchObject({ presence: "offline", error: { message: "the connection broke" } });
  await timer.pass(1_000);
  expect(node.state().presence).toBe("online");
  expect(wires).toHaveLength(2);
  await node.close();
  expect(node.state().link).toBeNull();
});
