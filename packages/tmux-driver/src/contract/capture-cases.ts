import assert from "node:assert/strict";
import { present, rejects } from "./expect.js";
import type { Declare } from "./fixture.js";
import { create, ended, shows } from "./sessions.js";

export function captureCases(declare: Declare): void {
  declare("a capture has every visible row, the cursor and the state of the pane", async (fixture) => {
    const pane = await create(fixture, { id: "one", argv: fixture.programs.lines(3) });
    const screen = await shows(fixture, { pane, text: "line 3" });
    assert.deepEqual(screen.lines, ["line 1", "line 2", "line 3", ...Array.from({ length: 21 }, () => "")]);
    assert.deepEqual([screen.cursor.column, screen.cursor.row], [0, 3]);
    assert.equal(screen.historySize, 0);
    assert.deepEqual(screen.pane.identity, pane.identity);
  });

  declare("a capture puts history before the screen, up to the requested rows", async (fixture) => {
    const pane = await create(fixture, { id: "one", argv: fixture.programs.lines(50) });
    const screen = await shows(fixture, { pane, text: "line 50" });
    assert.equal(screen.lines[0], "line 28");
    assert.equal(screen.historySize, 27);
    const some = await fixture.driver.capture(pane.identity, { history: 5 });
    assert.deepEqual(some.lines.slice(0, 6), ["line 23", "line 24", "line 25", "line 26", "line 27", "line 28"]);
    assert.equal(some.lines.length, 24 + 5);
    const all = await fixture.driver.capture(pane.identity, { history: 1000 });
    assert.equal(all.lines[0], "line 1");
    assert.equal(all.lines.length, 24 + 27);
    await rejects(fixture.driver.capture(pane.identity, { history: -1 }), "INVALID_ARGUMENT");
  });

  declare("a dead pane still shows its screen", async (fixture) => {
    const pane = await create(fixture, { id: "one", argv: fixture.programs.exit({ status: 7, output: "goodbye" }) });
    await ended(fixture, pane);
    const screen = await shows(fixture, { pane, text: "goodbye" });
    assert.equal(screen.pane.exit?.status, 7);
    assert.deepEqual(
      screen.lines.filter((line) => line !== ""),
      ["goodbye"],
    );
  });

  declare("captures many screens at once, and a missing pane does not affect the others", async (fixture) => {
    const { driver } = fixture;
    const first = await create(fixture, { id: "one", argv: fixture.programs.lines(1) });
    const second = await create(fixture, { id: "two", argv: fixture.programs.lines(50) });
    const gone = await create(fixture, { id: "three", argv: fixture.programs.lines(1) });
    await shows(fixture, { pane: first, text: "line 1" });
    await shows(fixture, { pane: second, text: "line 50" });
    await driver.kill(gone.identity, { graceMs: 10_000 });
    const identities = [gone, second, first].map(({ identity }) => identity);
    const elsewhere = { ...first.identity, server_pid: first.identity.server_pid + 1 };
    const answers = await driver.captureMany([...identities, elsewhere, ...Array.from({ length: 30 }, () => first.identity)], {
      history: 2,
    });
    assert.deepEqual(
      answers.slice(0, 4).map(({ kind }) => kind),
      ["absent", "present", "present", "absent"],
    );
    assert.deepEqual(present(answers[1]), await driver.capture(second.identity, { history: 2 }));
    assert.equal(present(answers[1]).lines[0], "line 26");
    assert.equal(present(answers[2]).pane.sessionId, first.sessionId);
    for (const answer of answers.slice(4)) assert.deepEqual(present(answer), present(answers[2]));
    assert.deepEqual(await driver.captureMany([]), []);
    await rejects(driver.captureMany([first.identity], { history: 0.5 }), "INVALID_ARGUMENT");
  });
}
