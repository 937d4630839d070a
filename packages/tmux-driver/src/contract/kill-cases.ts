import assert from "node:assert/strict";
import { present } from "./expect.js";
import type { Declare } from "./harness.js";
import { create, ended, idOf, recorder, shows } from "./sessions.js";

export function killCases(declare: Declare): void {
  declare("killing ends the whole tree, also what ignores SIGHUP, and frees the name", async (harness) => {
    const { driver } = harness;
    const pane = await create(harness, { id: "one", argv: harness.programs.stubborn() });
    await shows(harness, { pane, text: "ready" });
    assert.ok((await harness.running(pane)) > 0);
    const report = await driver.kill(pane.identity, { graceMs: 200 });
    assert.deepEqual(report.survivors, []);
    assert.equal(report.exit?.signal, 9);
    assert.equal(await harness.running(pane), 0);
    assert.equal((await driver.find(pane.identity)).kind, "absent");
    await recorder(harness, { id: "one" });
  });

  declare("killing a dead pane returns its exit and last lines and removes it", async (harness) => {
    const { driver } = harness;
    const pane = await create(harness, { id: "one", argv: harness.programs.exit({ status: 3, output: "last words" }) });
    await ended(harness, pane);
    const report = await driver.kill(pane.identity, { graceMs: 200 });
    assert.equal(report.exit?.status, 3);
    assert.deepEqual(report.lastLines, ["last words"]);
    assert.equal((await driver.find(pane.identity)).kind, "absent");
  });

  declare("killing twice, or at the same time, succeeds", async (harness) => {
    const { driver } = harness;
    const pane = await recorder(harness, { id: "one" });
    const other = await recorder(harness, { id: "two" });
    const reports = await Promise.all([1, 2, 3].map(() => driver.kill(pane.identity, { graceMs: 10_000 })));
    assert.deepEqual(
      reports.map(({ survivors }) => survivors.length),
      [0, 0, 0],
    );
    await driver.kill(pane.identity, { graceMs: 10_000 });
    assert.equal(present(await driver.find(other.identity)).sessionId, idOf(harness, "two"));
  });
}
