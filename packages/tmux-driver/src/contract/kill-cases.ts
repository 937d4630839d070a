import assert from "node:assert/strict";
import { present } from "./expect.js";
import type { Declare } from "./fixture.js";
import { create, ended, idOf, recorder, shows } from "./sessions.js";

export function killCases(declare: Declare): void {
  declare("kill ends the whole process tree, including programs that ignore SIGHUP, and frees the name", async (fixture) => {
    const { driver } = fixture;
    const pane = await create(fixture, { id: "one", argv: fixture.programs.stubborn() });
    await shows(fixture, { pane, text: "ready" });
    assert.ok((await fixture.running(pane)) > 0);
    const report = await driver.kill(pane.identity, { graceMs: 200 });
    assert.deepEqual(report.survivors, []);
    assert.equal(report.exit?.signal, 9);
    assert.equal(await fixture.running(pane), 0);
    assert.equal((await driver.find(pane.identity)).kind, "absent");
    await recorder(fixture, { id: "one" });
  });

  declare("kill of a dead pane returns its exit and last lines, and removes it", async (fixture) => {
    const { driver } = fixture;
    const pane = await create(fixture, { id: "one", argv: fixture.programs.exit({ status: 3, output: "last words" }) });
    await ended(fixture, pane);
    const report = await driver.kill(pane.identity, { graceMs: 200 });
    assert.equal(report.exit?.status, 3);
    assert.deepEqual(report.lastLines, ["last words"]);
    assert.equal((await driver.find(pane.identity)).kind, "absent");
  });

  declare("kill is idempotent, also concurrently", async (fixture) => {
    const { driver } = fixture;
    const pane = await recorder(fixture, { id: "one" });
    const other = await recorder(fixture, { id: "two" });
    const reports = await Promise.all([1, 2, 3].map(() => driver.kill(pane.identity, { graceMs: 10_000 })));
    assert.deepEqual(
      reports.map(({ survivors }) => survivors.length),
      [0, 0, 0],
    );
    await driver.kill(pane.identity, { graceMs: 10_000 });
    assert.equal(present(await driver.find(other.identity)).sessionId, idOf(fixture, "two"));
  });
}
