import assert from "node:assert/strict";
import type { PaneIdentity } from "@tmpm/core";
import { create, ended, eventually, idOf, present, rejects } from "./expect.js";
import type { Declare } from "./fixture.js";

/** As after a restart of the terminal's owner, an hour later: all other parts of the identity may be the same. */
function anothers(identity: PaneIdentity): PaneIdentity {
  return { ...identity, server_start: identity.server_start + 3_600 };
}

export function lifeCases(declare: Declare): void {
  declare("before the first session, the list is empty or absent, and the host is available", async ({ host }) => {
    const listed = await host.list();
    assert.ok(listed.kind === "absent" || (listed.kind === "present" && listed.value.length === 0), listed.kind);
    assert.equal((await host.available()).kind, "available");
  });

  declare("finds a session by its id, with its size and a running program, in the host's own terminal", async (fixture) => {
    const { host } = fixture;
    const pane = await create(fixture, { id: "one", argv: fixture.programs.waiting() });
    const found = present(await host.find(pane.identity));
    assert.deepEqual(found.identity, pane.identity);
    assert.deepEqual([found.sessionId, found.exit, found.inMode, found.viewers], [idOf(fixture, "one"), null, false, 0]);
    assert.deepEqual([found.columns, found.rows], [80, 24]);
    assert.ok(found.pid > 0);
    assert.ok(host.holds(pane.identity.socket));
    for (const list of [host.list, host.listAgain])
      assert.deepEqual(
        present(await list()).map(({ identity }) => identity),
        [pane.identity],
      );
  });

  declare("the next daemon finds the session unchanged", async (fixture) => {
    const pane = await create(fixture, { id: "one", argv: fixture.programs.waiting() });
    await fixture.host.close();
    const next = fixture.again();
    const found = present(await next.find(pane.identity));
    assert.deepEqual([found.identity, found.pid, found.sessionId, found.exit], [pane.identity, pane.pid, pane.sessionId, null]);
    assert.deepEqual((await next.kill(pane.identity, { graceMs: 1_000 })).survivors, []);
    assert.equal((await next.find(pane.identity)).kind, "absent");
  });

  declare("a program that ends leaves a terminal with its exit until it is removed", async (fixture) => {
    const { host } = fixture;
    const pane = await create(fixture, { id: "one", argv: fixture.programs.exit(3) });
    const after = await ended(fixture, pane);
    assert.deepEqual([after.exit?.status, after.exit?.signal], [3, null]);
    assert.equal((await host.capture(pane.identity)).pane.exit?.status, 3);
    const report = await host.kill(pane.identity, { graceMs: 200 });
    assert.deepEqual([report.exit?.status, report.survivors], [3, []]);
    assert.equal((await host.find(pane.identity)).kind, "absent");
  });

  declare("kill ends the whole process tree, including programs that ignore SIGHUP, and no other", async (fixture) => {
    const { host, programs } = fixture;
    const pane = await create(fixture, { id: "one", argv: programs.stubborn() });
    const other = await create(fixture, { id: "two", argv: programs.waiting() });
    await eventually(
      () => fixture.running(pane),
      (count) => count > 1,
    );
    const reports = await Promise.all([1, 2].map(() => host.kill(pane.identity, { graceMs: 200 })));
    for (const { survivors } of reports) assert.deepEqual(survivors, []);
    assert.equal(await fixture.running(pane), 0);
    assert.deepEqual((await host.kill(pane.identity, { graceMs: 200 })).survivors, []);
    assert.equal((await host.find(pane.identity)).kind, "absent");
    await rejects(host.capture(pane.identity), "PANE_GONE", "PANE_FOREIGN");
    assert.equal(present(await host.find(other.identity)).exit, null);
  });

  declare("a terminal with another start time is another terminal, and is not changed", async (fixture) => {
    const { host } = fixture;
    const pane = await create(fixture, { id: "one", argv: fixture.programs.waiting() });
    const stranger = anothers(pane.identity);
    assert.equal((await host.find(stranger)).kind, "absent");
    await rejects(host.capture(stranger), "PANE_GONE", "PANE_FOREIGN");
    assert.deepEqual((await host.kill(stranger, { graceMs: 200 })).survivors, []);
    assert.equal(present(await host.find(pane.identity)).exit, null);
  });

  declare("a terminal ended by force is known to be absent", async (fixture) => {
    const { host } = fixture;
    const pane = await create(fixture, { id: "one", argv: fixture.programs.waiting() });
    await fixture.destroy(pane);
    const answer = await eventually(
      () => host.find(pane.identity),
      ({ kind }) => kind !== "unknown",
    );
    assert.ok(answer.kind === "absent" || (answer.kind === "present" && answer.value.exit !== null), answer.kind);
    assert.deepEqual((await host.kill(pane.identity, { graceMs: 200 })).survivors, []);
  });

  declare("an unresponsive terminal is neither present nor absent, and works again once it responds", async (fixture) => {
    const { host, impatient } = fixture;
    const pane = await create(fixture, { id: "one", argv: fixture.programs.waiting() });
    assert.equal(present(await host.find(pane.identity)).exit, null);
    await fixture.silence(pane);
    assert.equal((await impatient.find(pane.identity)).kind, "unknown");
    await rejects(impatient.capture(pane.identity), "UNRESPONSIVE", "TMUX_UNRESPONSIVE");
    await fixture.wake(pane);
    const again = await eventually(
      () => host.find(pane.identity),
      ({ kind }) => kind !== "unknown",
    );
    assert.equal(present(again).exit, null);
  });
}
