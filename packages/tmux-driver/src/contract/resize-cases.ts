import assert from "node:assert/strict";
import { present, rejects } from "./expect.js";
import type { Declare } from "./fixture.js";
import { recorder } from "./sessions.js";

export function resizeCases(declare: Declare): void {
  declare("a pane takes the requested size, and keeps it after release", async (fixture) => {
    const { driver } = fixture;
    const { identity } = await recorder(fixture, { id: "one" });
    const size = async () => {
      const { columns, rows } = present(await driver.find(identity));
      return [columns, rows];
    };
    for (const [columns, rows] of [
      [100, 30],
      [20, 5],
    ] as const) {
      await driver.resize(identity, { columns, rows });
      assert.deepEqual(await size(), [columns, rows]);
    }
    await driver.resize(identity, null);
    await driver.resize(identity, null);
    assert.deepEqual(await size(), [20, 5]);
    await rejects(driver.resize(identity, { columns: 0, rows: 5 }), "INVALID_ARGUMENT");
    await rejects(driver.resize(identity, { columns: 20, rows: 10_001 }), "INVALID_ARGUMENT");
    await driver.kill(identity, { graceMs: 10_000 });
    await rejects(driver.resize(identity, { columns: 20, rows: 5 }), "PANE_GONE");
  });

  declare("a foreign session keeps its size, also when adopted", async (fixture) => {
    const { driver } = fixture;
    await recorder(fixture, { id: "one" });
    await fixture.openForeign("theirs");
    const theirs = present(await driver.list()).find(({ tmuxName }) => tmuxName === "theirs");
    assert.ok(theirs);
    await rejects(driver.resize(theirs.identity, { columns: 20, rows: 5 }), "PANE_FOREIGN");
    await driver.adopt(theirs.identity, "adopted-1");
    await rejects(driver.resize(theirs.identity, { columns: 20, rows: 5 }), "PANE_FOREIGN");
    const after = present(await driver.find(theirs.identity));
    assert.deepEqual([after.columns, after.rows], [theirs.columns, theirs.rows]);
  });
}
