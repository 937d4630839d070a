import assert from "node:assert/strict";
import { present, rejects } from "./expect.js";
import type { Declare } from "./fixture.js";
import { create, receives, recorder } from "./sessions.js";

export function findCases(declare: Declare): void {
  declare("after the server ended, its panes are absent and reject every call", async (fixture) => {
    const { driver } = fixture;
    const pane = await recorder(fixture, { id: "one" });
    await fixture.endServer();
    assert.equal((await driver.server()).kind, "absent");
    assert.equal((await driver.list()).kind, "absent");
    assert.equal((await driver.find(pane.identity)).kind, "absent");
    await rejects(driver.paste(pane.identity, "x"), "PANE_GONE");
    await rejects(driver.keys(pane.identity, ["Enter"]), "PANE_GONE");
    await rejects(driver.capture(pane.identity), "PANE_GONE");
  });

  declare("a pane id reused by another server is another pane", async (fixture) => {
    const { driver } = fixture;
    const old = await recorder(fixture, { id: "one" });
    await fixture.endServer();
    const now = await recorder(fixture, { id: "two" });
    assert.equal(now.identity.pane_id, old.identity.pane_id);
    assert.equal((await driver.find(old.identity)).kind, "absent");
    await rejects(driver.paste(old.identity, "wrong"), "PANE_FOREIGN");
    await rejects(driver.keys(old.identity, ["w"]), "PANE_FOREIGN");
    await rejects(driver.capture(old.identity), "PANE_FOREIGN");
    assert.deepEqual((await driver.kill(old.identity, { graceMs: 100 })).survivors, []);
    await driver.paste(now.identity, "right");
    assert.equal(await receives(fixture, { id: "two", expected: "right" }), "right");
  });

  declare("distinguishes names with a common prefix", async (fixture) => {
    const { driver, programs } = fixture;
    const argv = programs.lines(1);
    const [a, a1, a10] = [
      await create(fixture, { id: "a", argv }),
      await create(fixture, { id: "a-1", argv }),
      await create(fixture, { id: "a-10", argv }),
    ];
    await driver.kill(a1.identity, { graceMs: 10_000 });
    assert.equal((await driver.find(a1.identity)).kind, "absent");
    assert.deepEqual(
      present(await driver.list()).map(({ tmuxName }) => tmuxName),
      ["a", "a-10"],
    );
    await create(fixture, { id: "a-1", argv });
    await driver.kill(a.identity, { graceMs: 10_000 });
    assert.equal(present(await driver.find(a10.identity)).tmuxName, "a-10");
  });
}
