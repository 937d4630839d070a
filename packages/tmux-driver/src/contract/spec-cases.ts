import assert from "node:assert/strict";
import { rejects } from "./expect.js";
import type { Declare } from "./fixture.js";
import { specOf } from "./sessions.js";

export function specCases(declare: Declare): void {
  declare("rejects a missing directory", async (fixture) => {
    const spec = specOf(fixture, { id: "one", argv: fixture.programs.lines(1) });
    await rejects(fixture.driver.create({ ...spec, cwd: fixture.missingDirectory }), "DIRECTORY_NOT_FOUND");
    await rejects(fixture.driver.create({ ...spec, cwd: "relative" }), "DIRECTORY_NOT_FOUND");
  });

  declare("rejects names that tmux would expand or read as a target", async (fixture) => {
    const spec = specOf(fixture, { id: "one", argv: fixture.programs.lines(1) });
    for (const tmuxName of ["", "-x", "#{pid}", "#(true)", "=a", "$1", "a b", "é"]) {
      await rejects(fixture.driver.create({ ...spec, tmuxName }), "INVALID_ARGUMENT");
    }
    for (const sessionId of ["", "a b", "#{pid}"]) await rejects(fixture.driver.create({ ...spec, sessionId }), "INVALID_ARGUMENT");
    await rejects(fixture.driver.create({ ...spec, rows: 0 }), "INVALID_ARGUMENT");
    await rejects(fixture.driver.create({ ...spec, env: { "A=B": "c" } }), "INVALID_ARGUMENT");
    assert.equal((await fixture.driver.list()).kind, "absent");
  });

  declare("reads back a name that tmux rewrites", async (fixture) => {
    const pane = await fixture.driver.create({ ...specOf(fixture, { id: "one", argv: fixture.programs.lines(1) }), tmuxName: "a.b:c" });
    assert.equal(pane.tmuxName, "a_b_c");
  });
}
