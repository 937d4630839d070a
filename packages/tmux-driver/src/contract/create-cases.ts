import assert from "node:assert/strict";
import { eventually, present, rejects } from "./expect.js";
import type { Declare } from "./fixture.js";
import { create, ended, idOf, recorder, shows, specOf } from "./sessions.js";

export function createCases(declare: Declare): void {
  declare("before the first create, a missing server is an answer, not an error", async ({ driver }) => {
    assert.equal((await driver.server()).kind, "absent");
    assert.equal((await driver.list()).kind, "absent");
  });

  declare("a created pane is found with its tag, its name, its size and a running program", async (fixture) => {
    const pane = await recorder(fixture, { id: "one" });
    const found = present(await fixture.driver.find(pane.identity));
    assert.deepEqual(found.identity, pane.identity);
    assert.equal(found.sessionId, idOf(fixture, "one"));
    assert.equal(found.tmuxName, "one");
    assert.deepEqual([found.columns, found.rows], [80, 24]);
    assert.equal(found.exit, null);
    assert.equal(found.inMode, false);
    assert.equal(found.viewers, 0);
    assert.equal(found.pid, pane.pid);
    assert.deepEqual(
      present(await fixture.driver.list()).map(({ sessionId }) => sessionId),
      [idOf(fixture, "one")],
    );
    const server = present(await fixture.driver.server());
    assert.deepEqual(
      [server.pid, server.start, server.socket],
      [pane.identity.server_pid, pane.identity.server_start, fixture.driver.socket],
    );
  });

  declare("create rejects a name in use, and leaves its session unchanged", async (fixture) => {
    const pane = await recorder(fixture, { id: "one" });
    await rejects(
      fixture.driver.create({ ...specOf(fixture, { id: "two", argv: fixture.programs.lines(1) }), tmuxName: "one" }),
      "NAME_TAKEN",
    );
    assert.equal(present(await fixture.driver.find(pane.identity)).sessionId, idOf(fixture, "one"));
    assert.equal(present(await fixture.driver.list()).length, 1);
  });

  declare("a program that ends at once leaves its pane with the exit status", async (fixture) => {
    const pane = await create(fixture, { id: "one", argv: fixture.programs.exit({ status: 3, output: "last words" }) });
    const after = await ended(fixture, pane);
    assert.equal(after.exit?.status, 3);
    assert.equal(after.exit?.signal, null);
    assert.match((await shows(fixture, { pane, text: "last words" })).lines[0] ?? "", /^last words$/);
  });

  declare("passes arguments, directory and environment exactly", async (fixture) => {
    const words = ["a b", "", "it's", '"$HOME"', "#{pid}", "#(true)", ";", "x;", "-R", "é"];
    const spec = specOf(fixture, { id: "one", argv: fixture.programs.report(words) });
    const pane = await fixture.driver.create({ ...spec, env: { ...spec.env, CONTRACT_VALUE: "it's $x `y`;" } });
    const expected = [...words, fixture.cwd, "it's $x `y`;"].map((word) => `<${word}>`);
    const screen = await eventually(
      () => fixture.driver.capture(pane.identity, { history: 100 }),
      ({ lines }) => lines.includes(expected.at(-1) ?? ""),
    );
    assert.equal(screen.lines.filter((line) => line !== "").join(""), expected.join(""));
  });
}
