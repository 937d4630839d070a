import { expect, test } from "vitest";
import { fakeWire } from "../src/fake.js";
import { keepNode, LEASE } from "../src/index.js";
import { linked } from "./fixture.js";
import { virtualTimer } from "./virtual-timer.js";

const NODES = 200;
const MINUTE_MS = 60_000;
/** A request and its response, with their clocks. */
const MOST_BYTES_OF_A_BEAT = 120;

test("each of 200 links costs two small messages per heartbeat, and a silent one is not online after its lease", async () => {
  const timer = virtualTimer();
  const wires = Array.from({ length: NODES }, () => fakeWire({ timer }));
  const kept = wires.map((wire) => keepNode({ connect: () => linked(wire, { timer }).link, timer }));
  await timer.pass(1_000);
  const presences = (from: number, to: number) => new Set(kept.slice(from, to).map((node) => node.state().presence));
  expect(presences(0, NODES)).toEqual(new Set(["online"]));

  const sums = () =>
    wires.map((wire) => wire.traffic()).reduce((a, b) => ({ messages: a.messages + b.messages, bytes: a.bytes + b.bytes }));
  const before = sums();
  await timer.pass(10 * MINUTE_MS);
  const beats = (10 * MINUTE_MS) / LEASE.beatMs;
  expect(sums().messages - before.messages).toBe(2 * beats * NODES);
  expect((sums().bytes - before.bytes) / beats / NODES).toBeLessThan(MOST_BYTES_OF_A_BEAT);

  for (const wire of wires.slice(0, 50)) wire.stall();
  await timer.pass(LEASE.suspectMs + LEASE.beatMs);
  expect([presences(0, 50), presences(50, NODES)]).toEqual([new Set(["suspect"]), new Set(["online"])]);
  await timer.pass(LEASE.offlineMs - LEASE.suspectMs);
  expect([presences(0, 50), presences(50, NODES)]).toEqual([new Set(["offline"]), new Set(["online"])]);
  await Promise.all(kept.map((node) => node.close()));
});
