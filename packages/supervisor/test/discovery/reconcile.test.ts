import { describe, expect, test } from "vitest";
import { CRASH, fixture } from "../fixtures/fixture.js";

test("reconciling again after a crash changes nothing more", async () => {
  const l = fixture();
  l.crashAt("create.opened");
  await expect(l.sessions.create({ agent: "composer", cwd: "/w", name: "demo" })).rejects.toBe(CRASH);
  l.crashAt(null);
  await l.restarted().reconcile();
  const before = await l.store.list();
  expect(before).toMatchObject([{ record: { state: "active", intent: null } }]);
  await l.restarted().reconcile();
  expect(await l.store.list()).toEqual(before);
});

describe("reconcile", () => {
  test("vanished sessions are stopped as unexpected, running ones stay active, finished ones are not changed", async () => {
    const { sessions, tmux, store } = fixture();
    for (const name of ["gone", "live", "done"]) await sessions.create({ agent: "shell", cwd: "/w", name });
    await sessions.remove({ session: "done" });
    const [done] = await store.find("done", { archived: true });
    tmux.close("tmpm-gone");
    const report = await sessions.reconcile();
    expect(report.findings).toMatchObject([{ name: "gone", outcome: "changed", from: "active", to: "stopped", reason: "terminal_gone" }]);
    expect(report.live).toBe(1);
    expect((await sessions.show({ session: "gone" })).record).toMatchObject({ state: "stopped", stop_cause: "unexpected" });
    expect((await sessions.show({ session: "live" })).record.state).toBe("active");
    expect((await store.find("done", { archived: true }))[0]).toEqual(done);
  });

  test("the end of a whole server stops its sessions as unexpected, and they can be resumed", async () => {
    const { sessions, tmux } = fixture();
    for (const name of ["one", "two"]) await sessions.create({ agent: "shell", cwd: "/w", name });
    tmux.killServer();
    await sessions.reconcile();
    for (const name of ["one", "two"]) {
      expect((await sessions.show({ session: name })).record).toMatchObject({ state: "stopped", stop_cause: "unexpected" });
      expect((await sessions.resume({ session: name })).record.state).toBe("active");
    }
  });

  test.each(["hang", "unknown"] as const)("a listing without an answer (%s) changes nothing", async (failure) => {
    const { sessions, tmux, store } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    const before = await store.list();
    tmux.failNext("list", failure);
    const running = sessions.reconcile();
    // The listing has begun.
    await new Promise(setImmediate);
    tmux.advance(3_001);
    expect((await running).unobservable).toMatchObject([{ error: { code: "TMUX_UNRESPONSIVE" } }]);
    expect(await store.list()).toEqual(before);
  });
});

describe("background observation", () => {
  test("notices an exit, keeps its status and last lines, and removes the dead terminal", async () => {
    const { sessions, tmux, events } = fixture();
    const { session } = await sessions.create({ agent: "command", cwd: "/w", name: "job", argv: ["/bin/cat"] });
    sessions.start();
    tmux.write("tmpm-job", "bye\n");
    tmux.exit("tmpm-job", 9);
    await expect.poll(async () => (await sessions.show({ session: "job" })).record.state).toBe("stopped");
    expect((await sessions.show({ session: "job" })).record).toMatchObject({
      exit: { status: 9 },
      last_lines: expect.arrayContaining(["bye"]),
    });
    expect(events).toContainEqual(
      expect.objectContaining({ type: "session_state_changed", session_id: session.record.id, to: "stopped", cause: "unexpected" }),
    );
    await sessions.close();
  });

  test("remembers an attached user, so that the session is Detached once they leave", async () => {
    const { sessions, tmux } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    sessions.start();
    const detach = tmux.attachViewer("tmpm-demo");
    await expect.poll(async () => (await sessions.show({ session: "demo" })).record.viewed_at).not.toBeNull();
    detach();
    await expect.poll(async () => (await sessions.show({ session: "demo" })).viewers).toBe(0);
    await sessions.close();
  });
});
