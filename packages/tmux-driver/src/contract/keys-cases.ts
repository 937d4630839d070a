import assert from "node:assert/strict";
import { rejects } from "./expect.js";
import type { Declare } from "./fixture.js";
import { receives, recorder } from "./sessions.js";

export function keysCases(declare: Declare): void {
  declare("keys arrive as a terminal sends them", async (fixture) => {
    const pane = await recorder(fixture, { id: "one" });
    await fixture.driver.keys(pane.identity, ["a", ";", "Enter", "C-c", "Escape"]);
    await fixture.driver.keys(pane.identity, [";"]);
    await fixture.driver.keys(pane.identity, ["-", "'", '"', "\\", "#", "$", "~", "{", "é", "Tab", "Space", "BSpace", "enter"]);
    const expected = "a;\r\u0003\u001b;-'\"\\#$~{é\t \u007f\r";
    assert.equal(await receives(fixture, { id: "one", expected }), expected);
  });

  declare("rejects an invalid key before any key is pressed", async (fixture) => {
    const pane = await recorder(fixture, { id: "one" });
    for (const key of ["hello", "", "-R", "C-", "0x41", "Entr", "\n", "C-é", "a;"]) {
      await rejects(fixture.driver.keys(pane.identity, ["x", key]), "INVALID_ARGUMENT");
    }
    await rejects(fixture.driver.keys(pane.identity, []), "INVALID_ARGUMENT");
    await fixture.driver.keys(pane.identity, ["y"]);
    assert.equal(await receives(fixture, { id: "one", expected: "y" }), "y");
  });

  declare("paste and keys to one pane keep call order", async (fixture) => {
    const { driver } = fixture;
    const pane = await recorder(fixture, { id: "one" });
    await Promise.all([driver.paste(pane.identity, "first"), driver.keys(pane.identity, ["Enter"]), driver.paste(pane.identity, "second")]);
    assert.equal(await receives(fixture, { id: "one", expected: "first\rsecond" }), "first\rsecond");
  });
}
