import type { Duplex } from "node:stream";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Faults, fakeWire } from "../src/fake.js";
import { linked } from "./fixture.js";
import { chances, seeded } from "./seeded.js";
import { virtualTimer } from "./virtual-timer.js";

const faults: fc.Arbitrary<Faults> = fc.record({
  delayMs: fc.integer({ min: 0, max: 400 }),
  loss: fc.constantFrom(0, 0, 0.02, 0.2),
  duplicate: fc.constantFrom(0, 0.1, 0.5),
  reorder: fc.constantFrom(0, 0, 0.05),
});

/** The request, the node's effect, and the client's response. */
interface History {
  readonly done: Map<string, number>;
  readonly acknowledged: Set<string>;
  readonly failed: Set<string>;
}

/** A node that runs each command once it has arrived completely, and confirms it. */
function executing(history: History): (exchange: Duplex) => void {
  return (exchange) => {
    const pieces: Uint8Array[] = [];
    exchange.on("error", () => undefined);
    exchange.on("data", (piece: Uint8Array) => pieces.push(piece));
    exchange.on("end", () => {
      const command = Buffer.concat(pieces).toString();
      history.done.set(command, (history.done.get(command) ?? 0) + 1);
      exchange.end(`done ${command}`);
    });
  };
}

function asked(exchange: Duplex, { command, history }: { readonly command: string; readonly history: History }): void {
  const pieces: Uint8Array[] = [];
  exchange.on("data", (piece: Uint8Array) => pieces.push(piece));
  exchange.on("error", () => history.failed.add(command));
  exchange.on("end", () => {
    if (Buffer.concat(pieces).toString() === `done ${command}`) history.acknowledged.add(command);
    else history.failed.add(command);
  });
  exchange.end(command);
}

test("under any fault, no command runs twice, every acknowledged command has run, and every caller gets a result", async () => {
  await fc.assert(
    fc.asyncProperty(faults, fc.integer({ min: 1, max: 0x7fff_ffff }), async (how, seed) => {
      const history: History = { done: new Map(), acknowledged: new Set(), failed: new Set() };
      const timer = virtualTimer();
      const wire = fakeWire({ timer, random: chances(seed) });
      const link = await linked(wire, { timer, serve: executing(history) }).link;
      wire.setFaults(how);
      const commands = Array.from({ length: 15 }, (_, index) => `command ${index}`);
      let refused = 0;
      for (const command of commands) {
        try {
          asked(link.open(), { command, history });
        } catch {
          refused += 1;
        }
        await timer.pass(50);
      }
      await timer.pass(120_000);
      for (const times of history.done.values()) expect(times).toBe(1);
      for (const command of history.acknowledged) expect(history.done.get(command)).toBe(1);
      expect(history.acknowledged.size + history.failed.size + refused).toBe(commands.length);
      if (how.loss === 0 && how.reorder === 0) expect(history.acknowledged.size).toBe(commands.length);
      link.close();
    }),
    seeded(25),
  );
});
