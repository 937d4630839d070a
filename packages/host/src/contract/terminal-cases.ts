import assert from "node:assert/strict";
import type { OutputEvent } from "@tmpm/core";
import { create, ended, eventually, having, idOf, inTerminal, present, receives, recorder, rejects, shows } from "./expect.js";
import type { Declare } from "./fixture.js";

const TEXTS = [";", "-R", "$HOME `id` #{pid} #(true) %d ~ {a}", "'\"\\", "two\nlines\n", "\ttab", "é 漢字 🙂", " ", "x".repeat(20_000)];

export function terminalCases(declare: Declare): void {
  declare("passes arguments, directory and environment exactly", async (fixture) => {
    const words = ["a b", "", "it's", '"$HOME"', "#{pid}", ";", "x;", "-R", "é"];
    const env = { CONTRACT_VALUE: "it's $x `y`;" };
    const pane = await create(fixture, { id: "one", argv: inTerminal(fixture).report(words), env });
    const expected = [...words, fixture.cwd, env.CONTRACT_VALUE].map((word) => `<${word}>`);
    const screen = await eventually(
      () => fixture.host.capture(pane.identity, { history: 100 }),
      ({ lines }) => lines.includes(expected.at(-1) ?? ""),
    );
    assert.equal(screen.lines.filter((line) => line !== "").join(""), expected.join(""));
  });

  declare("pasted text arrives byte for byte, without an Enter, and bracketed if the program requested that", async (fixture) => {
    const { host } = fixture;
    const paste = having(host.paste);
    const pane = await recorder(fixture);
    for (const text of TEXTS) await paste(pane.identity, text);
    assert.equal(await receives(fixture, TEXTS.join("")), TEXTS.join(""));
    await host.kill(pane.identity, { graceMs: 500 });
    await rejects(paste(pane.identity, "x"), "PANE_GONE", "PANE_FOREIGN");
    const framed = await create(fixture, { id: "two", argv: inTerminal(fixture).recorder({ framed: true }) });
    await shows(fixture, { pane: framed, text: "ready" });
    await paste(framed.identity, "two\nlines;");
    const expected = "\u001b[200~two\nlines;\u001b[201~";
    const read = () => fixture.received(idOf(fixture, "two"));
    assert.equal(await eventually(read, ({ length }) => length >= expected.length), expected);
  });

  declare("texts of concurrent callers do not mix, and keep call order", async (fixture) => {
    const paste = having(fixture.host.paste);
    const pane = await recorder(fixture);
    const texts = Array.from({ length: 8 }, (_, index) => `${String(index).repeat(2_000)}\n`);
    await Promise.all(texts.map((text) => paste(pane.identity, text)));
    assert.equal(await receives(fixture, texts.join("")), texts.join(""));
  });

  declare("keys arrive as a terminal sends them, and an invalid key is rejected before any is pressed", async (fixture) => {
    const keys = having(fixture.host.keys);
    const pane = await recorder(fixture);
    for (const key of ["hello", "", "Entr", "C-"]) await rejects(keys(pane.identity, ["x", key]), "INVALID_ARGUMENT");
    await rejects(keys(pane.identity, []), "INVALID_ARGUMENT");
    await keys(pane.identity, ["a", ";", "Enter", "C-c", "Escape"]);
    await keys(pane.identity, ["-", "'", "\\", "#", "$", "é", "Tab", "Space", "BSpace", "enter"]);
    const expected = "a;\r\u0003\u001b-'\\#$é\t \u007f\r";
    assert.equal(await receives(fixture, expected), expected);
  });

  declare("a capture puts history before the screen, up to the requested rows", async (fixture) => {
    const { host } = fixture;
    const pane = await create(fixture, { id: "one", argv: inTerminal(fixture).lines(50) });
    const screen = await shows(fixture, { pane, text: "line 50" });
    assert.deepEqual([screen.lines[0], screen.historySize, screen.cursor.row], ["line 28", 27, 23]);
    const some = await host.capture(pane.identity, { history: 5 });
    assert.deepEqual([some.lines[0], some.lines.length], ["line 23", 24 + 5]);
    const all = await host.capture(pane.identity, { history: 1_000 });
    assert.deepEqual([all.lines[0], all.lines.length], ["line 1", 24 + 27]);
  });

  declare("keeps the last output with the exit", async (fixture) => {
    const { host } = fixture;
    const pane = await create(fixture, { id: "one", argv: inTerminal(fixture).lastWords(7) });
    await ended(fixture, pane);
    await shows(fixture, { pane, text: "last words" });
    const { lastLines, exit } = await host.kill(pane.identity, { graceMs: 200 });
    assert.deepEqual([lastLines, exit?.status], [["last words"], 7]);
  });

  declare("a terminal takes the requested size, and keeps it after release", async (fixture) => {
    const { host } = fixture;
    const resize = having(host.resize);
    const { identity } = await recorder(fixture);
    await resize(identity, { columns: 100, rows: 30 });
    await resize(identity, { columns: 40, rows: 10 });
    await resize(identity, null);
    const { columns, rows } = present(await host.find(identity));
    assert.deepEqual([columns, rows], [40, 10]);
    await rejects(resize(identity, { columns: 0, rows: 5 }), "INVALID_ARGUMENT");
  });

  declare("output begins with the screen, has every byte at its offset, and reports the end", async (fixture) => {
    const { host } = fixture;
    const pane = await create(fixture, { id: "one", argv: inTerminal(fixture).lines(3) });
    await shows(fixture, { pane, text: "line 3" });
    const events: OutputEvent[] = [];
    const subscription = await having(host.output)(pane.identity, (event) => void events.push(event));
    await eventually(
      async () => events,
      ({ length }) => length > 0,
    );
    const [first] = events;
    assert.ok(first?.type === "screen");
    assert.equal(first.screen.lines[2], "line 3");
    if (host.replay === undefined) assert.equal(first.offset, 0);
    assert.match(Buffer.from(first.paint).toString(), /line 3/u);
    await having(host.paste)(pane.identity, "hé llo");
    const text = () => Buffer.concat(events.flatMap((event) => (event.type === "chunk" ? [event.bytes] : []))).toString();
    await eventually(
      async () => text(),
      (all) => all.includes("hé llo"),
    );
    let next = first.offset;
    for (const event of events.slice(1)) {
      assert.ok(event.type === "chunk");
      assert.equal(event.offset, next);
      next += event.bytes.length;
    }
    assert.equal((await subscription.look()).offset, next);
    assert.equal(present(await host.find(pane.identity)).viewers, 0);
    await host.kill(pane.identity, { graceMs: 500 });
    await subscription.done;
    assert.match(events.at(-1)?.type ?? "", /^(?:exited|closed)$/u);
  });

  declare("keeps output by its offset, also for the next daemon", async (fixture) => {
    if (fixture.host.replay === undefined) return;
    const pane = await create(fixture, { id: "one", argv: inTerminal(fixture).lines(3) });
    await shows(fixture, { pane, text: "line 3" });
    const printed = "line 1\r\nline 2\r\nline 3\r\n";
    for (const host of [fixture.host, fixture.again()]) {
      const read = async (from: number, most: number) => {
        const bytes = await having(host.replay)(pane.identity, { from, most });
        return bytes === null ? null : Buffer.from(bytes).toString();
      };
      assert.deepEqual([await read(0, 1000), await read(8, 6), await read(24, 10)], [printed, "line 2", ""]);
      assert.equal(await read(25, 10), null);
      const first = await new Promise<OutputEvent>((resolve, reject) => {
        having(host.output)(pane.identity, resolve).then(({ done }) => done, reject);
      });
      assert.equal(first.offset, printed.length);
    }
  });

  declare("a failing listener ends its subscription with its error", async (fixture) => {
    const pane = await create(fixture, { id: "one", argv: inTerminal(fixture).lines(1) });
    const subscription = await having(fixture.host.output)(pane.identity, () => {
      throw new RangeError("mine");
    });
    await assert.rejects(subscription.done, RangeError);
  });

  declare("the attach command is a program with its arguments", async (fixture) => {
    const pane = await recorder(fixture);
    const [program, ...args] = having(fixture.host.attachCommand)(pane.identity);
    assert.ok(program.length > 0 && args.every((arg) => typeof arg === "string"));
  });
}
