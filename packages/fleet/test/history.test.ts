import type { Duplex } from "node:stream";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type FakeWire, fakeWire } from "../src/fake.js";
import { keepNode, LEASE, type NodeLink, type Timer } from "../src/index.js";
import { linked } from "./fixture.js";
import { chances, seeded } from "./seeded.js";
import { virtualTimer } from "./virtual-timer.js";

/** After each event, one a second. */
const COMMANDS = 4;
/** Until the node has executed a command that has arrived. */
const EXECUTION_MS = 50;

/** What happens to the node and to the way to it, in seconds after the event before it. */
const event = fc.record({
  afterS: fc.integer({ min: 1, max: 30 }),
  kind: fc.constantFrom("cut", "unreachable", "reachable", "asleep", "awake", "slow", "lossy", "lossy", "sound", "restarted", "clock"),
  /** For the kinds that need a number. */
  size: fc.integer({ min: 1, max: 100 }),
});
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

/**
 * A node that keeps the keys of what it has executed, and the number of times that each attempt arrived. A restart ends its process: commands that
 * have arrived are not executed, and connections are refused until it has started.
 */
function executingNode(timer: Timer) {
  const executed = new Set<string>();
  const arrived = new Map<string, number>();
  const executing = new Set<() => void>();
  let startedAt = timer.now();
  return {
    executed,
    arrived,
    isRunning: () => timer.now() >= startedAt,
    restart(downMs: number): void {
      startedAt = timer.now() + downMs;
      for (const stop of executing) stop();
      executing.clear();
    },
    serve(exchange: Duplex): void {
      const pieces: Uint8Array[] = [];
      exchange.on("error", () => undefined);
      exchange.on("data", (piece: Uint8Array) => pieces.push(piece));
      exchange.on("end", () => {
        const attempt = Buffer.concat(pieces).toString();
        const [key = ""] = attempt.split("#");
        arrived.set(attempt, (arrived.get(attempt) ?? 0) + 1);
        const stop = timer.after(EXECUTION_MS, () => {
          executing.delete(stop);
          executed.add(key);
          exchange.end(`done ${attempt}`);
        });
        executing.add(stop);
      });
    },
  };
}

/** The world of one run: a node, the network between, whose faults depend on the seed, and a client that keeps a link to it. */
function world(seed: number) {
  const timer = virtualTimer();
  /** The node's clock: of another rate and time than the client's. */
  const clock = { offset: 0 };
  const nodeTimer = { ...timer, wall: () => timer.wall() + clock.offset };
  const node = executingNode(nodeTimer);
  const network = { reachable: true, asleep: false };
  const random = chances(seed);
  let wire: FakeWire | null = null;
  const kept = keepNode({
    timer,
    async connect() {
      if (!network.reachable) throw new Error("no route to host");
      if (!node.isRunning()) throw new Error("connection refused");
      wire = fakeWire({ timer, random });
      if (network.asleep) wire.stall();
      return linked(wire, { timer, serve: node.serve, node: { timer: nodeTimer } }).link;
    },
  });
  const happen: Readonly<Record<Event["kind"], (size: number) => void>> = {
    cut: () => wire?.cut(),
    restarted: (size) => {
      node.restart(size * 100);
      wire?.cut();
    },
    unreachable: () => {
      network.reachable = false;
      wire?.cut();
    },
    reachable: () => {
      network.reachable = true;
    },
    asleep: () => {
      network.asleep = true;
      wire?.stall();
    },
    awake: () => {
      network.asleep = false;
      wire?.resume();
    },
    slow: (size) => wire?.setFaults({ delayMs: size * 10 }),
    lossy: (size) => wire?.setFaults({ loss: size / 400, duplicate: size / 200, reorder: size / 400 }),
    sound: () => wire?.setFaults({}),
    // Up to four days ahead or behind.
    clock: (size) => {
      clock.offset = (size - 50) * 7_200_000;
    },
  };
  return { timer, node, kept, happen };
}

/** Whether the node acknowledged one attempt. */
function acknowledgedBy(exchange: Duplex, attempt: string): Promise<boolean> {
  return new Promise((settle) => {
    const pieces: Uint8Array[] = [];
    exchange.on("data", (piece: Uint8Array) => pieces.push(piece));
    exchange.on("error", () => settle(false));
    exchange.on("end", () => settle(Buffer.concat(pieces).toString() === `done ${attempt}`));
    exchange.end(attempt);
  });
}

test("through cuts, sleep, loss, restarts and wrong clocks, an attempt arrives at most once, a command is executed before it is acknowledged, and a silent node is not online", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 15 }), fc.integer(), async (events, seed) => {
      const { timer, node, kept, happen } = world(seed);
      const acknowledged = new Set<string>();
      const pending = new Set<string>();
      const sent = new Set<string>();
      let number = 0;

      /** A caller that repeats a command with its key until it is acknowledged. */
      async function command(key: string): Promise<void> {
        pending.add(key);
        for (let attempt = 1; !acknowledged.has(key); attempt++) {
          const link = await kept.link().catch(() => null);
          const words = `${key}#${attempt}`;
          sent.add(words);
          const done = link === null ? false : await opened(link, words);
          if (done) acknowledged.add(key);
          else await new Promise<void>((again) => timer.after(2_000, again));
        }
        pending.delete(key);
      }

      async function opened(link: NodeLink, words: string): Promise<boolean> {
        try {
          return await acknowledgedBy(link.open(), words);
        } catch {
          return false;
        }
      }

      async function pass(seconds: number): Promise<void> {
        for (let second = 0; second < seconds; second++) {
          if (second < COMMANDS) void command(`command ${++number}`);
          await timer.pass(1_000);
          for (const key of acknowledged) expect(node.executed.has(key), key).toBe(true);
          for (const [attempt, times] of node.arrived) expect([times, sent.has(attempt)], attempt).toEqual([1, true]);
          const { presence, heardAt } = kept.state();
          if (presence === "online") expect(timer.wall() - (heardAt ?? timer.wall())).toBeLessThan(LEASE.suspectMs);
          if (presence !== "offline") expect(timer.wall() - (heardAt ?? timer.wall())).toBeLessThan(LEASE.offlineMs);
        }
      }

      for (const { kind, size, afterS } of events) {
        await pass(afterS);
        happen[kind](size);
      }
      // Whatever happened, the callers end once the node can be reached again, without anything but its own records.
      for (const kind of ["reachable", "awake", "sound"] as const) happen[kind](1);
      await pass(240);
      expect([...pending]).toEqual([]);
      expect([...acknowledged].toSorted()).toEqual([...node.executed].toSorted());
      expect(kept.state().presence).toBe("online");
      await kept.close();
    }),
    seeded(3),
  );
});
