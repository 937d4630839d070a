import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { type LazyClock, lazyScreen } from "../src/held/lazy-screen.js";
import { renderedScreen } from "../src/held/rendered-screen.js";

const SIZE = { columns: 40, rows: 6 };

/** A manual clock; reading it takes a tenth of a millisecond. */
function clock() {
  const due: { readonly task: () => void; readonly at: number }[] = [];
  let now = 0;
  const real: LazyClock = {
    now() {
      now += 0.1;
      return now;
    },
    later: (task, ms) => void due.push({ task, at: now + ms }),
  };
  return {
    ...real,
    pass(ms: number) {
      now += ms;
      const ready = due.filter(({ at }) => at <= now);
      due.splice(0, due.length, ...due.filter((each) => !ready.includes(each)));
      for (const { task } of ready) task();
    },
    waits: () => due.length > 0,
  };
}

function counted() {
  const screen = renderedScreen({ ...SIZE, answer: () => undefined });
  const written: number[] = [];
  const write = (bytes: Uint8Array) => {
    written.push(bytes.length);
    screen.write(bytes);
  };
  return { screen: { ...screen, write }, written };
}

const line = (index: number) => Buffer.from(`\u001b[3${index % 8}mline ${index}\u001b[0m\r\n`);

test("renders a little output at once", () => {
  const time = clock();
  const { screen, written } = counted();
  const lazy = lazyScreen(screen, time);
  lazy.write(Buffer.from("one"));
  time.pass(20);
  lazy.write(Buffer.from("two"));
  expect(written).toEqual([3, 3]);
  expect(time.waits()).toBe(false);
});

test("defers continuous output, and a look includes all of it", () => {
  const { screen, written } = counted();
  const lazy = lazyScreen(screen, clock());
  const plain = renderedScreen({ ...SIZE, answer: () => undefined });
  for (let index = 0; index < 500; index++) {
    lazy.write(line(index));
    plain.write(line(index));
  }
  expect(written).toHaveLength(1);
  expect(lazy.facts(100)).toEqual(plain.facts(100));
  expect(lazy.paint()).toEqual(plain.paint());
});

test("orders a resize after earlier output", () => {
  const lazy = lazyScreen(counted().screen, clock());
  const plain = renderedScreen({ ...SIZE, answer: () => undefined });
  for (const screen of [lazy, plain]) {
    for (let index = 0; index < 20; index++) screen.write(line(index));
    screen.resize({ columns: 4, rows: 3 });
    screen.write(Buffer.from("after"));
  }
  expect(lazy.facts(50)).toEqual(plain.facts(50));
});

test("renders pending output in slices, and all of it once output stops", () => {
  const time = clock();
  const { screen, written } = counted();
  const lazy = lazyScreen(screen, time);
  for (let index = 0; index < 400; index++) lazy.write(line(index));
  time.pass(8);
  const first = written.length;
  expect(first).toBeGreaterThan(1);
  expect(first).toBeLessThan(400);
  while (time.waits()) time.pass(8);
  expect(written).toHaveLength(400);
});

test("at most 4 MB are pending", () => {
  const { screen, written } = counted();
  const lazy = lazyScreen(screen, clock());
  const megabyte = Buffer.alloc(1024 * 1024, "x");
  for (let index = 0; index < 7; index++) lazy.write(megabyte);
  expect(written).toHaveLength(3);
});

test("releases rendered output of a program that never pauses", async () => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("there is no garbage collector to call");
  const { screen } = counted();
  const lazy = lazyScreen({ ...screen, write: () => undefined }, clock());
  const printed: WeakRef<Uint8Array>[] = [];
  const print = () => {
    const bytes = new Uint8Array(16_384);
    printed.push(new WeakRef(bytes));
    lazy.write(bytes);
  };
  for (let index = 0; index < 3_000; index++) print();
  // The target of a new weak reference lives until the end of the job.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const kept = printed.filter((each) => each.deref() !== undefined).length;
  expect(kept).toBe((4 * 1024 * 1024) / 16_384);
});

test("answers a terminal query without a look", () => {
  const time = clock();
  const answers: string[] = [];
  const lazy = lazyScreen(renderedScreen({ ...SIZE, answer: (text) => answers.push(text) }), time);
  for (let index = 0; index < 50; index++) lazy.write(line(index));
  lazy.write(Buffer.from("\u001b[6n"));
  while (time.waits()) time.pass(8);
  expect(answers).toEqual(["\u001b[6;1R"]);
});
