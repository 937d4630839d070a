import assert from "node:assert/strict";
import { present, rejects } from "./expect.js";
import type { Declare } from "./fixture.js";
import { create } from "./sessions.js";

export function foreignCases(declare: Declare): void {
  declare("lists a foreign session without a tag, and leaves it alone", async (fixture) => {
    const { driver } = fixture;
    await create(fixture, { id: "one", argv: fixture.programs.lines(1) });
    await fixture.openForeign("theirs");
    const foreign = present(await driver.list()).find(({ tmuxName }) => tmuxName === "theirs");
    assert.ok(foreign);
    assert.equal(foreign.sessionId, null);
    await rejects(driver.paste(foreign.identity, "x"), "PANE_FOREIGN");
    await rejects(driver.keys(foreign.identity, ["x"]), "PANE_FOREIGN");
    await rejects(driver.kill(foreign.identity, { graceMs: 100 }), "PANE_FOREIGN");
    assert.equal((await driver.find(foreign.identity)).kind, "present");
  });

  declare("a pane on another socket is neither found nor changed", async (fixture) => {
    const { driver } = fixture;
    const pane = await create(fixture, { id: "one", argv: fixture.programs.lines(1) });
    const elsewhere = { ...pane.identity, socket: `${driver.socket}-other` };
    assert.equal((await driver.find(elsewhere)).kind, "unknown");
    await rejects(driver.paste(elsewhere, "x"), "PANE_FOREIGN");
  });
}
