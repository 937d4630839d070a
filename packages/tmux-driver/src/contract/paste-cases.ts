import assert from "node:assert/strict";
import { eventually, present, rejects } from "./expect.js";
import type { Declare } from "./harness.js";
import { create, ended, receives, recorder, shows } from "./sessions.js";

const TEXTS = [
  ";",
  "fix it;",
  "-R",
  "-x foo",
  "$HOME `id` #{pid} #(true) %d ~ {a}",
  "'\"\\",
  "two\nlines\n",
  "\ttab",
  "é 漢字 🙂",
  " ",
  "x".repeat(20_000),
];

export function pasteCases(declare: Declare): void {
  declare("pasted text arrives byte for byte, without an Enter", async (harness) => {
    const pane = await recorder(harness, { id: "one" });
    for (const text of TEXTS) await harness.driver.paste(pane.identity, text);
    const expected = TEXTS.join("");
    assert.equal(await receives(harness, { id: "one", expected }), expected);
  });

  declare("a program that asked for it gets pasted text in a frame", async (harness) => {
    const pane = await recorder(harness, { id: "one", framed: true });
    await harness.driver.paste(pane.identity, "two\nlines;");
    const expected = "\u001b[200~two\nlines;\u001b[201~";
    assert.equal(await receives(harness, { id: "one", expected }), expected);
  });

  declare("texts of many callers do not mix, and keep the order of the calls", async (harness) => {
    const pane = await recorder(harness, { id: "one" });
    const texts = Array.from({ length: 8 }, (_, index) => `${String(index).repeat(2000)}\n`);
    await Promise.all(texts.map((text) => harness.driver.paste(pane.identity, text)));
    assert.equal(await receives(harness, { id: "one", expected: texts.join("") }), texts.join(""));
  });

  declare("a pane that somebody scrolls takes no input until that ends", async (harness) => {
    const { driver } = harness;
    const pane = await recorder(harness, { id: "one" });
    await harness.setMode(pane, true);
    assert.equal(present(await driver.find(pane.identity)).inMode, true);
    await rejects(driver.paste(pane.identity, "lost"), "PANE_IN_MODE");
    await rejects(driver.keys(pane.identity, ["l"]), "PANE_IN_MODE");
    await harness.setMode(pane, false);
    await driver.paste(pane.identity, "kept");
    assert.equal(await receives(harness, { id: "one", expected: "kept" }), "kept");
  });

  declare("a dead pane refuses input, and its server goes on", async (harness) => {
    const { driver } = harness;
    const pane = await create(harness, { id: "one", argv: harness.programs.exit({ status: 0, output: "x" }) });
    await ended(harness, pane);
    for (let attempt = 0; attempt < 3; attempt++) await rejects(driver.paste(pane.identity, "x"), "PANE_DEAD");
    await rejects(driver.keys(pane.identity, ["Enter"]), "PANE_DEAD");
    assert.equal(present(await driver.server()).pid, pane.identity.server_pid);
  });

  declare("a pane that is gone refuses input", async (harness) => {
    const { driver } = harness;
    await create(harness, { id: "other", argv: harness.programs.lines(1) });
    const pane = await recorder(harness, { id: "one" });
    await driver.kill(pane.identity, { graceMs: 1000 });
    await rejects(driver.paste(pane.identity, "x"), "PANE_GONE");
    await rejects(driver.keys(pane.identity, ["Enter"]), "PANE_GONE");
    await rejects(driver.capture(pane.identity), "PANE_GONE");
  });

  declare("a line that a whole-line reader would lose the end of is refused", async (harness) => {
    const { driver } = harness;
    const pane = await create(harness, { id: "one", argv: harness.programs.lineReader() });
    await shows(harness, { pane, text: "ready" });
    await rejects(driver.paste(pane.identity, `short\n${"x".repeat(5000)}`), "LINE_TOO_LONG");
    await driver.paste(pane.identity, "short");
    const screen = await eventually(
      () => driver.capture(pane.identity),
      ({ lines }) => lines.some((line) => line.includes("short")),
    );
    assert.ok(!screen.lines.some((line) => line.includes("xxx")));
  });
}
