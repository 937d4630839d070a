import assert from "node:assert/strict";
import type { Declare } from "./fixture.js";
import { receives, recorder } from "./sessions.js";

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
  declare("pasted text arrives byte for byte, without an Enter", async (fixture) => {
    const pane = await recorder(fixture, { id: "one" });
    for (const text of TEXTS) await fixture.driver.paste(pane.identity, text);
    const expected = TEXTS.join("");
    assert.equal(await receives(fixture, { id: "one", expected }), expected);
  });

  declare("pasted text is bracketed if the program requested that", async (fixture) => {
    const pane = await recorder(fixture, { id: "one", framed: true });
    await fixture.driver.paste(pane.identity, "two\nlines;");
    const expected = "\u001b[200~two\nlines;\u001b[201~";
    assert.equal(await receives(fixture, { id: "one", expected }), expected);
  });

  declare("texts of concurrent callers do not mix, and keep call order", async (fixture) => {
    const pane = await recorder(fixture, { id: "one" });
    const texts = Array.from({ length: 8 }, (_, index) => `${String(index).repeat(2000)}\n`);
    await Promise.all(texts.map((text) => fixture.driver.paste(pane.identity, text)));
    assert.equal(await receives(fixture, { id: "one", expected: texts.join("") }), texts.join(""));
  });
}
