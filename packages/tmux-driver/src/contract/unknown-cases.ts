import assert from "node:assert/strict";
import { eventually, rejects } from "./expect.js";
import type { Declare } from "./fixture.js";
import { recorder, specOf } from "./sessions.js";

export function unknownCases(declare: Declare): void {
  declare("an unresponsive server is neither present nor absent, and works again once it responds", async (fixture) => {
    const { driver, impatient } = fixture;
    const { identity } = await recorder(fixture, { id: "one" });
    await fixture.stopServer();
    const answers = await Promise.all([impatient.server(), impatient.list(), impatient.find(identity)]);
    for (const answer of [...answers, ...(await impatient.captureMany([identity, identity]))]) {
      assert.equal(answer.kind, "unknown");
      if (answer.kind === "unknown") assert.equal(answer.error.code, "TMUX_UNRESPONSIVE");
    }
    const calls = [
      impatient.capture(identity),
      impatient.paste(identity, "x"),
      impatient.keys(identity, ["x"]),
      impatient.kill(identity, { graceMs: 0 }),
      impatient.create(specOf(fixture, { id: "two", argv: fixture.programs.lines(1) })),
    ];
    await Promise.all(calls.map((call) => rejects(call, "TMUX_UNRESPONSIVE")));
    await fixture.continueServer();
    const found = await eventually(
      () => driver.find(identity),
      ({ kind }) => kind !== "unknown",
    );
    assert.equal(found.kind === "present" && found.value.exit, null);
  });
}
