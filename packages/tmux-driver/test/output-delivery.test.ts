import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import type { OutputEvent } from "../src/index.js";
import { type Delivery, delivery, type Snapshot } from "../src/output/delivery.js";

const shot = (title: string) => ({ screen: { title }, paint: new Uint8Array() }) as unknown as Snapshot;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A listener that the test releases, and a source whose screens the test takes. */
function bench(mostWaiting = 10) {
  const delivered: string[] = [];
  const waits: (() => void)[] = [];
  const takes: { readonly cut: () => void; readonly done: (shot: Snapshot) => void; readonly fail: () => void }[] = [];
  let slow = false;
  const made: Delivery = delivery({
    mostWaiting,
    snapshot: (cut) =>
      new Promise((done, reject) => takes.push({ cut, done, fail: () => reject(new TmpmError("TMUX_UNRESPONSIVE", "gone")) })),
    finished: () => delivered.push("finished"),
    listener(event: OutputEvent) {
      const what = event.type === "chunk" ? Buffer.from(event.bytes).toString() : event.type === "closed" ? "" : event.screen.title;
      delivered.push(`${event.type} ${event.offset} ${what}`.trim());
      return slow ? new Promise<void>((resolve) => waits.push(resolve)) : undefined;
    },
  });
  return {
    made,
    delivered,
    takes,
    say: (text: string) => made.take(Buffer.from(text)),
    slow: (now: boolean) => {
      slow = now;
    },
    async go() {
      waits.shift()?.();
      await turn();
    },
    async screen(title: string) {
      const take = takes.shift();
      take?.cut();
      take?.done(shot(title));
      await turn();
    },
  };
}

test("output before the screen is on it, and output after it is delivered once", async () => {
  const b = bench();
  b.say("before");
  const [take] = b.takes;
  take?.cut();
  b.say("aft");
  b.say("er");
  take?.done(shot("s"));
  await turn();
  b.say("more");
  await turn();
  expect(b.delivered).toEqual(["screen 0 s", "chunk 0 after", "chunk 5 more"]);
});

test("a slow listener gets a screen instead of excess output, and the offset counts the skipped bytes", async () => {
  const b = bench();
  await b.screen("s");
  b.slow(true);
  b.say("one");
  await turn();
  b.say("much more than ten");
  b.slow(false);
  await b.go();
  expect(b.takes.length).toBe(1);
  await b.screen("g");
  b.say("on");
  await turn();
  expect(b.delivered).toEqual(["screen 0 s", "chunk 0 one", "gap 21 g", "chunk 21 on"]);
});

test("delivers pending output before a gap from tmux, and requests a failed screen again", async () => {
  const b = bench();
  await b.screen("s");
  b.say("kept");
  b.made.lost();
  await turn();
  expect(b.delivered.at(-1)).toBe("chunk 0 kept");
  b.takes.shift()?.fail();
  await turn();
  expect(b.takes.length).toBe(0);
  b.made.lost();
  await turn();
  await b.screen("g");
  expect(b.delivered.at(-1)).toBe("gap 4 g");
});

test("discards a screen when bytes were lost while it was taken", async () => {
  const b = bench();
  const [take] = b.takes;
  b.made.lost();
  take?.cut();
  take?.done(shot("old"));
  await turn();
  b.takes.shift();
  await b.screen("new");
  expect(b.delivered).toEqual(["screen 0 new"]);
});

test("the end follows pending output, and an exit delivers the outstanding screen", async () => {
  const b = bench();
  await b.screen("s");
  b.say("last");
  b.made.end({ type: "exited", snapshot: shot("e") });
  b.say("never");
  await b.made.done;
  expect(b.delivered).toEqual(["screen 0 s", "chunk 0 last", "exited 4 e", "finished"]);
  const early = bench();
  early.made.end({ type: "exited", snapshot: shot("e") });
  early.takes[0]?.fail();
  await early.made.done;
  expect(early.delivered).toEqual(["screen 0 e", "exited 0 e", "finished"]);
});

test("a program that ends during its first screen is reported with that screen, then later bytes, then the end", async () => {
  const b = bench();
  const [take] = b.takes;
  take?.cut();
  b.say("last");
  b.made.end({ type: "exited", snapshot: shot("e") });
  take?.done(shot("s"));
  await b.made.done;
  expect(b.delivered).toEqual(["screen 0 s", "chunk 0 last", "exited 4 e", "finished"]);
  const failing = bench();
  failing.takes[0]?.cut();
  failing.say("last");
  failing.made.end({ type: "exited", snapshot: shot("e") });
  failing.takes[0]?.fail();
  await failing.made.done;
  expect(failing.delivered).toEqual(["screen 4 e", "exited 4 e", "finished"]);
});

test("nothing is delivered after close, not even pending output", async () => {
  const b = bench();
  await b.screen("s");
  b.say("x");
  b.made.close();
  await b.made.done;
  expect(b.delivered).toEqual(["screen 0 s", "finished"]);
});
