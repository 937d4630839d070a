import assert from "node:assert/strict";
import type { PaneInfo } from "../driver.js";
import { present, rejects } from "./expect.js";
import type { ContractHarness, Declare } from "./harness.js";
import { create, shows } from "./sessions.js";

/** A session that somebody else started, beside one of ours. */
async function foreign(harness: ContractHarness): Promise<PaneInfo> {
  await create(harness, { id: "one", argv: harness.programs.lines(1) });
  await harness.openForeign("theirs");
  const found = present(await harness.driver.list()).find(({ tmuxName }) => tmuxName === "theirs");
  assert.ok(found);
  return found;
}

export function adoptCases(declare: Declare): void {
  declare("an adopted pane carries its tag, takes input and is killed like ours; adopting it again changes nothing", async (harness) => {
    const { driver } = harness;
    const { identity } = await foreign(harness);
    await driver.adopt(identity, "adopted-1");
    await driver.adopt(identity, "adopted-1");
    assert.equal(present(await driver.find(identity)).sessionId, "adopted-1");
    await driver.keys(identity, ["x"]);
    assert.deepEqual((await driver.kill(identity, { graceMs: 10_000 })).survivors, []);
    assert.equal((await driver.find(identity)).kind, "absent");
  });

  declare("a pane of another session is not adopted, and a tag that a format could read is refused", async (harness) => {
    const { driver } = harness;
    const { identity } = await foreign(harness);
    await driver.adopt(identity, "adopted-1");
    await rejects(driver.adopt(identity, "adopted-2"), "PANE_FOREIGN");
    await rejects(driver.adopt({ ...identity, pane_id: "%9999" }, "adopted-2"), "PANE_GONE");
    await rejects(driver.adopt({ ...identity, server_start: identity.server_start - 1 }, "adopted-2"), "PANE_FOREIGN");
    await rejects(driver.adopt(identity, "#{pid}"), "INVALID_ARGUMENT");
    assert.equal(present(await driver.find(identity)).sessionId, "adopted-1");
  });

  declare("a released pane keeps running and is unowned", async (harness) => {
    const { driver } = harness;
    const { identity } = await foreign(harness);
    await rejects(driver.release(identity), "PANE_FOREIGN");
    await driver.adopt(identity, "adopted-1");
    await driver.release(identity);
    assert.equal(present(await driver.find(identity)).sessionId, null);
    await rejects(driver.keys(identity, ["x"]), "PANE_FOREIGN");
  });

  declare("the directory of a pane is told exactly; of one that is not there, nothing", async (harness) => {
    const { driver, cwd } = harness;
    const pane = await create(harness, { id: "one", argv: harness.programs.lineReader() });
    await shows(harness, { pane, text: "ready" });
    const { identity } = pane;
    const gone = { ...identity, pane_id: "%9999" };
    const other = { ...identity, server_pid: identity.server_pid + 1 };
    assert.deepEqual(await driver.directories([gone, identity, other]), [null, cwd, null]);
  });
}
