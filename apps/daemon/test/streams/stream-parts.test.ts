import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byteRing } from "../../src/streams/byte-ring.js";
import { commandLog } from "../../src/streams/command-log.js";
import { sizeLease } from "../../src/streams/size-lease.js";
import { type Source, viewer, type Wire } from "../../src/streams/viewer.js";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "1" } = process.env;
const runs = { numRuns: 100 * Number(TMPM_TEST_SCALE), seed: Number(TMPM_TEST_SEED) };

describe("the buffer of recent bytes", () => {
  test("the buffer holds the last bytes, each at its offset, for any split of the writes", () => {
    const step = fc.oneof(fc.uint8Array({ maxLength: 30 }), fc.record({ restart: fc.nat(5) }));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(step, { maxLength: 30 }),
        fc.nat(60),
        fc.nat(30),
        (capacity, steps, from, most) => {
          const ring = byteRing(capacity);
          let begin = 0;
          let all: number[] = [];
          for (const one of steps) {
            if (one instanceof Uint8Array) {
              ring.write(one);
              all = [...all, ...one];
            } else {
              begin = begin + all.length + one.restart;
              all = [];
              ring.restart(begin);
            }
          }
          const to = begin + all.length;
          const kept = Math.max(begin, to - capacity);
          expect([ring.from(), ring.to()]).toEqual([kept, to]);
          const read = ring.read(from, most);
          const expected = from < kept || from > to ? null : all.slice(from - begin, Math.min(from + most, to) - begin);
          expect(read === null ? null : [...read]).toEqual(expected);
        },
      ),
      runs,
    );
  });
});

describe("the size of a terminal", () => {
  test("the size has at most one holder, until its lease ends, it is released, or its token is revoked", () => {
    const who = fc.constantFrom("a", "b", "c");
    const step = fc.record({ ms: fc.nat(60), act: fc.constantFrom("take", "release", "revoke", "look"), who });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const lease = sizeLease(50);
        let now = 0;
        let holder: string | null = null;
        let until = 0;
        for (const { ms, act, who: by } of steps) {
          now += ms;
          if (now >= until) holder = null;
          if (act === "take") {
            const free: boolean = holder === null || holder === by;
            expect(lease.take(by, now)).toBe(free);
            if (free) [holder, until] = [by, now + 50];
          } else if (act === "revoke") {
            lease.revoke();
            holder = null;
          } else if (act === "release") {
            lease.release(by);
            if (holder === by) holder = null;
          }
          expect(lease.holder(now)).toBe(holder);
        }
      }),
      runs,
    );
  });
});

describe("client commands", () => {
  test("a command is executed once, even if it is repeated over another connection while it runs", async () => {
    const command = fc.record({ client: fc.constantFrom("a", "b"), id: fc.integer({ min: 1, max: 12 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 40 }), async (commands) => {
        const log = commandLog<string>({ clients: 2, outcomes: 100 });
        const done: string[] = [];
        const answers = commands.map(({ client, id }) =>
          log.once({ client, id }, async () => {
            done.push(`${client}${id}`);
            return `${client}${id}`;
          }),
        );
        expect(new Set(done).size).toBe(done.length);
        for (const [index, { client, id }] of commands.entries()) {
          const answer = await answers[index];
          expect([`${client}${id}`, undefined, null]).toContain(answer);
          if (answer === null) expect(done).not.toContain(`${client}${id}`);
        }
      }),
      runs,
    );
  });

  test("the number of remembered clients and outcomes is limited", async () => {
    const log = commandLog<number>({ clients: 2, outcomes: 3 });
    for (let id = 1; id <= 5; id++) await log.once({ client: "a", id }, async () => id);
    expect(await log.once({ client: "a", id: 4 }, async () => -1)).toBe(4);
    expect(log.once({ client: "a", id: 1 }, async () => -1)).toBeNull();
    for (const client of ["b", "c"]) void log.once({ client, id: 1 }, async () => 1);
    expect(await log.once({ client: "a", id: 1 }, async () => 7)).toBe(7);
  });
});

describe("a slow viewer", () => {
  test.each([
    ["keeps nothing", null],
    ["keeps more than the daemon", 1024 * 1024],
  ])(
    "ends with exactly the screen and the bytes after it, within a fixed buffer: its host %s",
    { timeout: 180_000 * Number(TMPM_TEST_SCALE) },
    async (_, hostKeeps) => {
      const step = fc.oneof(
        fc.record({ print: fc.integer({ min: 1, max: 300_000 }) }),
        fc.record({ drain: fc.integer({ min: 1, max: 12 }) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          const b = viewerBench({ hostKeeps });
          for (const one of steps) {
            if ("print" in one) b.print(one.print);
            else await b.drain(one.drain);
            expect(b.unsent()).toBeLessThanOrEqual(256 * 1024 + 64 * 1024 + 200);
          }
          for (let round = 0; round < 50; round++) await b.drain(100);
          expect(b.shown()).toBe(b.printed());
        }),
        { ...runs, numRuns: 20 * Number(TMPM_TEST_SCALE) },
      );
    },
  );
});

/** A terminal whose screen is the number of printed bytes, so that a viewer's position can be checked. */
function viewerBench({ hostKeeps }: { readonly hostKeeps: number | null }) {
  const ring = byteRing(512 * 1024);
  const held = byteRing(hostKeeps ?? 1);
  let waiting: { readonly size: number; readonly sent: () => void; readonly deliver: () => void }[] = [];
  let shown = 0;
  const deliver = (data: string | Uint8Array) => {
    if (typeof data === "string") {
      const { seq } = JSON.parse(data);
      expect(seq).toBeGreaterThanOrEqual(shown);
      shown = seq;
      return;
    }
    const view = Buffer.from(data);
    expect(Number(view.readBigUInt64BE())).toBe(shown);
    for (const [index, byte] of view.subarray(8).entries()) if (byte !== (shown + index) % 251) throw new Error(`byte ${shown + index}`);
    shown += view.length - 8;
  };
  const unsent = () => waiting.reduce((sum, { size }) => sum + size, 0);
  const wire: Wire = {
    unsent,
    send: (data, sent) => waiting.push({ size: data.length, sent, deliver: () => deliver(data) }),
    close: () => undefined,
    cut: () => expect.fail("it was cut off"),
  };
  const pane = { columns: 80, rows: 24 };
  const screen = { lines: [], cursor: { column: 0, row: 0, visible: true }, historySize: 0, title: "", pane };
  const framed = (from: number, bytes: Uint8Array) => {
    const frame = Buffer.alloc(8 + bytes.length);
    frame.writeBigUInt64BE(BigInt(from));
    frame.set(bytes, 8);
    return { frame, to: from + bytes.length };
  };
  const source: Source = {
    ring,
    frame: (from) => framed(from, ring.read(from, 64 * 1024) ?? new Uint8Array()),
    older:
      hostKeeps === null
        ? null
        : async (from) => {
            const bytes = held.read(from, 64 * 1024);
            return bytes === null ? null : framed(from, bytes);
          },
    note: () => null,
    look: async () => ({ offset: ring.to(), screen, paint: new Uint8Array() }) as unknown as Awaited<ReturnType<Source["look"]>>,
    report: ({ error }) => expect.fail(String(error)),
  };
  const one = viewer({ id: "v", wire, source, from: null });
  return {
    unsent,
    shown: () => shown,
    printed: () => ring.to(),
    print(count: number) {
      const at = ring.to();
      const bytes = Uint8Array.from({ length: count }, (_, index) => (at + index) % 251);
      held.write(bytes);
      ring.write(bytes);
      one.pump();
    },
    async drain(frames: number) {
      const now = waiting.slice(0, frames);
      waiting = waiting.slice(frames);
      for (const { deliver: take, sent } of now) {
        take();
        sent();
      }
      await new Promise(setImmediate);
    },
  };
}
