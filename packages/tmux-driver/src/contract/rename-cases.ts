import assert from "node:assert/strict";
import { present, rejects } from "./expect.js";
import type { Declare } from "./fixture.js";
import { create, recorder } from "./sessions.js";

export function renameCases(declare: Declare): void {
  declare("a renamed session keeps its pane and tag, and frees its old name", async (fixture) => {
    const { driver } = fixture;
    const { identity, tmuxName, sessionId } = await recorder(fixture, { id: "one" });
    await driver.rename(identity, `${tmuxName}-new`);
    await driver.rename(identity, `${tmuxName}-new`);
    const after = present(await driver.find(identity));
    assert.deepEqual([after.tmuxName, after.sessionId], [`${tmuxName}-new`, sessionId]);
    await driver.paste(identity, "typed");
    const again = await create(fixture, { id: "one", argv: fixture.programs.lines(1) });
    assert.equal(again.tmuxName, tmuxName);
  });

  declare("rename rejects a name in use, and both sessions keep theirs", async (fixture) => {
    const { driver } = fixture;
    const one = await recorder(fixture, { id: "one" });
    const two = await recorder(fixture, { id: "two" });
    await rejects(driver.rename(one.identity, two.tmuxName), "NAME_TAKEN");
    for (const { identity, tmuxName } of [one, two]) assert.equal(present(await driver.find(identity)).tmuxName, tmuxName);
  });

  declare("a foreign session keeps its name, also when adopted", async (fixture) => {
    const { driver } = fixture;
    const one = await recorder(fixture, { id: "one" });
    await fixture.openForeign("theirs");
    const theirs = present(await driver.list()).find(({ tmuxName }) => tmuxName === "theirs");
    assert.ok(theirs);
    await rejects(driver.rename(theirs.identity, "mine"), "PANE_FOREIGN");
    await driver.adopt(theirs.identity, "adopted-1");
    await rejects(driver.rename(theirs.identity, "mine"), "PANE_FOREIGN");
    assert.equal(present(await driver.find(theirs.identity)).tmuxName, "theirs");
    await driver.kill(one.identity, { graceMs: 10_000 });
    await rejects(driver.rename(one.identity, "late"), "PANE_GONE");
    await rejects(driver.rename(theirs.identity, "#{pid}"), "INVALID_ARGUMENT");
  });
}
