import assert from "node:assert/strict";
import { eventually, present, rejects } from "./expect.js";
import type { Declare } from "./fixture.js";
import { create, ended, receives, recorder, shows } from "./sessions.js";

export function refusalCases(declare: Declare): void {
  declare("a pane in copy mode rejects input until the user leaves it", async (fixture) => {
    const { driver } = fixture;
    const pane = await recorder(fixture, { id: "one" });
    await fixture.setMode(pane, true);
    assert.equal(present(await driver.find(pane.identity)).inMode, true);
    await rejects(driver.paste(pane.identity, "lost"), "PANE_IN_MODE");
    await rejects(driver.keys(pane.identity, ["l"]), "PANE_IN_MODE");
    await fixture.setMode(pane, false);
    await driver.paste(pane.identity, "kept");
    assert.equal(await receives(fixture, { id: "one", expected: "kept" }), "kept");
  });

  declare("a dead pane rejects input, and its server continues", async (fixture) => {
    const { driver } = fixture;
    const pane = await create(fixture, { id: "one", argv: fixture.programs.exit({ status: 0, output: "x" }) });
    await ended(fixture, pane);
    for (let attempt = 0; attempt < 3; attempt++) await rejects(driver.paste(pane.identity, "x"), "PANE_DEAD");
    await rejects(driver.keys(pane.identity, ["Enter"]), "PANE_DEAD");
    assert.equal(present(await driver.server()).pid, pane.identity.server_pid);
  });

  declare("a missing pane rejects input", async (fixture) => {
    const { driver } = fixture;
    await create(fixture, { id: "other", argv: fixture.programs.lines(1) });
    const pane = await recorder(fixture, { id: "one" });
    await driver.kill(pane.identity, { graceMs: 10_000 });
    await rejects(driver.paste(pane.identity, "x"), "PANE_GONE");
    await rejects(driver.keys(pane.identity, ["Enter"]), "PANE_GONE");
    await rejects(driver.capture(pane.identity), "PANE_GONE");
  });

  declare("rejects a line longer than a line-mode reader accepts", async (fixture) => {
    const { driver } = fixture;
    const pane = await create(fixture, { id: "one", argv: fixture.programs.lineReader() });
    await shows(fixture, { pane, text: "ready" });
    await rejects(driver.paste(pane.identity, `short\n${"x".repeat(5000)}`), "LINE_TOO_LONG");
    await driver.paste(pane.identity, "short");
    const screen = await eventually(
      () => driver.capture(pane.identity),
      ({ lines }) => lines.some((line) => line.includes("short")),
    );
    assert.ok(!screen.lines.some((line) => line.includes("xxx")));
  });
}
