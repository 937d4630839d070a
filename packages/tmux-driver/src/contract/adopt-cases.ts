import assert from "node:assert/strict";
import type { PaneInfo } from "../driver.js";
import { present, rejects } from "./expect.js";
import type { ContractFixture, Declare } from "./fixture.js";
import { create, shows } from "./sessions.js";

/** A foreign session, beside one of ours. */
async function foreign(fixture: ContractFixture): Promise<PaneInfo> {
  await create(fixture, { id: "one", argv: fixture.programs.lines(1) });
  await fixture.openForeign("theirs");
  const found = present(await fixture.driver.list()).find(({ tmuxName }) => tmuxName === "theirs");
  assert.ok(found);
  return found;
}

export function adoptCases(declare: Declare): void {
  declare("an adopted pane carries its tag, takes input and is killed like ours; adopting is idempotent", async (fixture) => {
    const { driver } = fixture;
    const { identity } = await foreign(fixture);
    await driver.adopt(identity, "adopted-1");
    await driver.adopt(identity, "adopted-1");
    assert.equal(present(await driver.find(identity)).sessionId, "adopted-1");
    await driver.keys(identity, ["x"]);
    assert.deepEqual((await driver.kill(identity, { graceMs: 10_000 })).survivors, []);
    assert.equal((await driver.find(identity)).kind, "absent");
  });

  declare("adopt rejects a pane of another session, and a tag that a format could read", async (fixture) => {
    const { driver } = fixture;
    const { identity } = await foreign(fixture);
    await driver.adopt(identity, "adopted-1");
    await rejects(driver.adopt(identity, "adopted-2"), "PANE_FOREIGN");
    await rejects(driver.adopt({ ...identity, pane_id: "%9999" }, "adopted-2"), "PANE_GONE");
    await rejects(driver.adopt({ ...identity, server_start: identity.server_start - 1 }, "adopted-2"), "PANE_FOREIGN");
    await rejects(driver.adopt(identity, "#{pid}"), "INVALID_ARGUMENT");
    assert.equal(present(await driver.find(identity)).sessionId, "adopted-1");
  });

  declare("a released pane keeps running and is unowned", async (fixture) => {
    const { driver } = fixture;
    const { identity } = await foreign(fixture);
    await rejects(driver.release(identity), "PANE_FOREIGN");
    await driver.adopt(identity, "adopted-1");
    await driver.release(identity);
    assert.equal(present(await driver.find(identity)).sessionId, null);
    await rejects(driver.keys(identity, ["x"]), "PANE_FOREIGN");
  });

  declare("reports the exact directory of a pane, and null for a missing one", async (fixture) => {
    const { driver, cwd } = fixture;
    const pane = await create(fixture, { id: "one", argv: fixture.programs.lineReader() });
    await shows(fixture, { pane, text: "ready" });
    const { identity } = pane;
    const gone = { ...identity, pane_id: "%9999" };
    const other = { ...identity, server_pid: identity.server_pid + 1 };
    assert.deepEqual(await driver.directories([gone, identity, other]), [null, cwd, null]);
  });
}
