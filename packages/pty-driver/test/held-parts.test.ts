import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { detachKey, withoutQueries } from "@tmpm/core/attached";
import headless from "@xterm/headless";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { renderedScreen } from "../src/held/rendered-screen.js";
import { replayRing } from "../src/held/replay-ring.js";
import { unfinished } from "../src/held/unfinished.js";
import { watchers } from "../src/held/watchers.js";
import { writeQueue } from "../src/held/write-queue.js";
import { probeNodePty } from "../src/index.js";

const bytes = (text: string) => Buffer.from(text);
const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");

/** A screen, and another one that was painted from it midway. */
function painted(before: string, after: string) {
  const first = renderedScreen({ columns: 40, rows: 6, answer: () => undefined });
  first.write(bytes(before));
  const second = renderedScreen({ columns: 40, rows: 6, answer: () => undefined });
  second.write(first.paint());
  first.write(bytes(after));
  second.write(bytes(after));
  return { first, second };
}

test("the screen includes styles", () => {
  const screen = renderedScreen({ columns: 20, rows: 2, answer: () => undefined });
  screen.write(bytes("> \u001b[7mT\u001b[0;2mype 漢\u001b[0;38;2;108;112;134;3mx\u001b[0m \u001b[90mgrey\u001b[0m\r\nplain   "));
  const plain = { faint: false, italic: false, reverse: false, colour: null };
  expect(screen.facts(0)).toMatchObject({
    lines: ["> Type 漢x grey", "plain"],
    styles: [
      [
        { ...plain, from: 2, to: 3, reverse: true },
        { ...plain, from: 3, to: 8, faint: true },
        { ...plain, from: 8, to: 9, italic: true, colour: "#6c7086" },
        { ...plain, from: 10, to: 14, colour: "8" },
      ],
      [],
    ],
  });
});

test("a holder's reply stays small: no styles with scrollback or for too many styled cells, and no endless text", () => {
  const screen = renderedScreen({ columns: 1000, rows: 200, answer: () => undefined });
  screen.write(bytes("\u001b[31mred\r\n".repeat(250)));
  expect(screen.facts(0).styles?.[0]).toMatchObject([{ from: 0, to: 3, colour: "1" }]);
  const above = screen.facts(10);
  expect([above.lines, above.styles]).toEqual([Array(210).fill("red").with(209, ""), undefined]);
  screen.write(bytes(`\u001b[H${"\u001b[31mx\u001b[32my".repeat(100_000)}`));
  const colourful = screen.facts(0);
  expect([colourful.lines[0], colourful.styles]).toEqual(["xy".repeat(500), undefined]);
  const wide = renderedScreen({ columns: 10_000, rows: 100, answer: () => undefined });
  for (let row = 0; row < 900; row++) wide.write(bytes("x".repeat(10_000)));
  expect(wide.facts(0).lines).toHaveLength(100);
  expect(() => wide.facts(800)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", hint: expect.stringContaining("--history") }));
});

test("the screen includes wide characters, the cursor, the title and the scrollback", () => {
  const answers: string[] = [];
  const screen = renderedScreen({ columns: 20, rows: 3, answer: (text) => answers.push(text) });
  screen.write(bytes("\u001b]2;a title\u0007one\r\ntwo 漢字 🙂\r\nthree\r\nfour   \u001b[?25l"));
  expect(screen.facts(10)).toEqual({
    lines: ["one", "two 漢字 🙂", "three", "four"],
    cursor: { column: 7, row: 2, visible: false },
    historySize: 1,
    title: "a title",
  });
  expect(screen.facts(0).lines).toEqual(["two 漢字 🙂", "three", "four"]);
  screen.write(bytes("\u001b[?1049h\u001b[Halternate\u001b[?2004h\u001b[?1h\u001b[6n"));
  expect(screen.facts(0).lines).toEqual(["alternate", "", ""]);
  expect([screen.framesPastes(), screen.keyModes().cursor, answers]).toEqual([true, true, ["\u001b[1;10R"]]);
  screen.write(bytes("\u001b[?1049l\u001b[?2004l"));
  expect([screen.facts(0).lines[2], screen.framesPastes()]).toEqual(["four", false]);
});

test.each([
  ["text", "one\r\ntwo", " three"],
  ["a style that goes on", "\u001b[1;31mred", " still red"],
  ["the alternate screen", "main\u001b[?1049h\u001b[Hother", "\u001b[2;1Hmore"],
  ["a scroll region", "\u001b[2;4r\u001b[4;1Hin it", "\r\nscrolled\r\nagain"],
  ["origin mode in a region", "\u001b[2;5r\u001b[?6h\u001b[3;3Hx", "\u001b[Hy"],
  ["a character in pieces", "漢\ud83d", "\r\nnext"],
  ["no wrap", "\u001b[?7lxx", "y".repeat(60)],
])("a painted terminal shows the same afterwards: %s", (_, before, after) => {
  const { first, second } = painted(before, after);
  expect(second.facts(0)).toMatchObject({ lines: first.facts(0).lines, cursor: first.facts(0).cursor });
  expect(Buffer.from(second.paint()).toString()).toBe(Buffer.from(first.paint()).toString());
});

test("a sequence or character split anywhere continues after the paint", () => {
  const stream = Buffer.from("a\u001b[31mé漢🙂\u001b]2;t\u001b\\b\u001bP$qm\u001b\\c\u001b(Bd\u001b[?2004he");
  const whole = renderedScreen({ columns: 40, rows: 2, answer: () => undefined });
  whole.write(stream);
  for (let cut = 0; cut <= stream.length; cut++) {
    const first = renderedScreen({ columns: 40, rows: 2, answer: () => undefined });
    first.write(stream.subarray(0, cut));
    const second = renderedScreen({ columns: 40, rows: 2, answer: () => undefined });
    second.write(Buffer.concat([first.paint(), stream.subarray(cut)]));
    expect([cut, second.facts(0).lines, second.framesPastes()]).toEqual([cut, whole.facts(0).lines, true]);
  }
  const held = unfinished();
  held.take(bytes(`\u001b]2;${"x".repeat(10_000)}`));
  expect(held.bytes()).toHaveLength(0);
});

test("the ring keeps the last bytes at their offsets, whatever the chunks", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), fc.integer({ min: 1, max: 32 }), (pieces, capacity) => {
      const ring = replayRing(capacity);
      for (const piece of pieces) ring.write(piece);
      const all = Buffer.concat(pieces);
      expect([ring.to(), ring.from()]).toEqual([all.length, Math.max(0, all.length - capacity)]);
      expect(Buffer.from(ring.read(ring.from(), capacity) ?? []).equals(all.subarray(ring.from()))).toBe(true);
      expect(ring.read(ring.from() - 1, 1)).toBeNull();
      expect(ring.read(ring.to() + 1, 1)).toBeNull();
      expect(ring.read(ring.to(), 5)).toHaveLength(0);
    }),
    { seed: Number(process.env.TMPM_TEST_SEED ?? "1"), numRuns: 100 * scale },
  );
});

test("removes terminal queries, split anywhere, and nothing else", () => {
  const kept = "a\u001b[31mb\u001b[2Jc\u001b]2;t\u0007d\u001b[?25he\u001b[3;4Hf\u001b[!p";
  const asked = `x\u001b[c${kept}\u001b[>c\u001b[6n\u001b[?2004$p\u001b]11;?\u0007\u001bP+q544e\u001b\\\u001b[18t\u001b[?u\u001b[>qy`;
  for (let cut = 0; cut <= asked.length; cut++) {
    const filter = withoutQueries();
    const given = [asked.slice(0, cut), asked.slice(cut)].map((part) => Buffer.from(filter(bytes(part))).toString());
    expect(given.join("")).toBe(`x${kept}y`);
  }
});

test("Ctrl-\\ twice detaches, also in two chunks; followed by another key it is typed", () => {
  const typed: string[] = [];
  let detached = 0;
  const hear = detachKey({ typed: (some) => typed.push(Buffer.from(some).toString()), detach: () => detached++ });
  hear(bytes("ls\r"));
  hear(bytes("\u001c"));
  hear(bytes("x"));
  expect([typed, detached]).toEqual([["ls\r", "\u001cx"], 0]);
  hear(bytes("y\u001c"));
  hear(bytes("\u001cz"));
  expect([typed, detached]).toEqual([["ls\r", "\u001cx", "y"], 1]);
});

test("writes texts whole and in order, as fast as the terminal accepts", async () => {
  const taken: string[] = [];
  let full = false;
  const queue = writeQueue({
    isOpen: () => true,
    write(some) {
      full = !full;
      if (full) throw Object.assign(new Error("full"), { code: "EAGAIN" });
      taken.push(Buffer.from(some.subarray(0, 2)).toString());
      return Math.min(2, some.length);
    },
  });
  await Promise.all([queue.add(bytes("abc")), queue.add(bytes("")), queue.add(bytes("de"))]);
  expect(taken).toEqual(["ab", "c", "de"]);
});

test("input that a program does not read waits up to a limit, and is dropped with its terminal", async () => {
  const queue = writeQueue({
    isOpen: () => true,
    write() {
      throw Object.assign(new Error("full"), { code: "EAGAIN" });
    },
  });
  const waiting = queue.add(new Uint8Array(16 * 1024 * 1024));
  await expect(queue.add(bytes("x"))).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED", effect: "none" });
  queue.close();
  await expect(waiting).rejects.toMatchObject({ code: "PANE_DEAD", effect: "unknown" });
});

test("writes nothing to a closed terminal, whose descriptor may be reused", async () => {
  const taken: string[] = [];
  const terminal = { isOpen: true };
  const queue = writeQueue({
    isOpen: () => terminal.isOpen,
    write(some) {
      taken.push(Buffer.from(some.subarray(0, 1)).toString());
      return 1;
    },
  });
  const begun = [queue.add(bytes("abc")), queue.add(bytes("d"))];
  terminal.isOpen = false;
  await expect(queue.add(bytes("e"))).rejects.toMatchObject({ code: "PANE_DEAD", effect: "none" });
  for (const text of begun) await expect(text).rejects.toMatchObject({ code: "PANE_DEAD", effect: "unknown" });
  expect(taken).toEqual(["a"]);
});

test("a watcher that is behind gets only the latest report once it has caught up", async () => {
  const got: string[] = [];
  const caughtUp: (() => void)[] = [];
  let name = "";
  const all = watchers(() => ({ tmuxName: name, pid: 1, tty: "", columns: 80, rows: 24, viewers: 0, activeMs: 0, exit: null }));
  const slow = {
    id: 1,
    emit: (event: unknown) => {
      got.push(String(Reflect.get(Object(Reflect.get(Object(event), "info")), "tmuxName")));
      return false;
    },
    drained: () => new Promise<void>((resolve) => caughtUp.push(resolve)),
  };
  all.add(slow);
  const change = (to: string) => {
    name = to;
    all.changed();
  };
  for (const to of ["a", "b", "c"]) change(to);
  expect(got).toEqual(["a"]);
  caughtUp.shift()?.();
  await expect.poll(() => got).toEqual(["a", "c"]);
  all.delete(slow);
  change("d");
  caughtUp.shift()?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(got).toEqual(["a", "c"]);
});

test("node-pty loads from a folder with any name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-#a?b%41 "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "node-pty.cjs");
  writeFileSync(path, "module.exports = {};");
  await probeNodePty(path);
});

test("the pinned emulator can write synchronously", () => {
  expect(new headless.Terminal({ allowProposedApi: true })).toHaveProperty("_core.writeSync");
});
