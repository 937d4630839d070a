import { describe, expect, test } from "vitest";
import { composer, fixture } from "../fixtures/fixture.js";
import { job } from "../fixtures/host-fixture.js";
import { tmuxFixture } from "../fixtures/tmux-fixture.js";

describe("concurrent sessions", () => {
  test("an unresponsive terminal delays only its own session, until its deadline", async () => {
    const { sessions, tmux } = fixture();
    for (const name of ["hangs", "other"]) await sessions.create({ agent: "shell", cwd: "/w", name });
    for (const method of ["rename", "keys"] as const) tmux.failNext(method, "hang");
    let over = false;
    const hanging = sessions.rename({ session: "hangs", name: "later" }).finally(() => (over = true));
    const behind = sessions.keys({ session: "hangs", keys: ["a"] }).catch((error: unknown) => error);
    const settledRename = hanging.catch((error: unknown) => error);
    await new Promise(setImmediate);
    expect((await sessions.show({ session: "other" })).record.state).toBe("active");
    await sessions.create({ agent: "shell", cwd: "/w", name: "third" });
    expect((await sessions.stop({ session: "third" })).session.record.state).toBe("stopped");
    expect(over).toBe(false);
    tmux.advance(5_001);
    expect(await settledRename).toMatchObject({ code: "TMUX_UNRESPONSIVE", effect: "unknown" });
    await new Promise(setImmediate);
    tmux.advance(5_001);
    expect(await behind).toMatchObject({ code: "TMUX_UNRESPONSIVE" });
    await sessions.reconcile();
    expect((await sessions.show({ session: "later" })).record).toMatchObject({ tmux_name: "tmpm-later", intent: null });
  });

  test("an agent with a hanging launch plan, or a directory that never opens, delays no other session", async () => {
    const never = new Promise<never>(() => undefined);
    const silent = { ...composer, id: "silent", launch: () => never };
    const l = fixture({ adapters: [composer, silent] });
    const hanging = l.sessions.create({ agent: "silent", cwd: "/w", name: "hangs" });
    expect((await l.sessions.create({ agent: "composer", cwd: "/w", name: "other" })).session.record.state).toBe("active");
    expect((await l.sessions.rename({ session: "other", name: "hangs" })).session.record.name).toBe("hangs");
    expect((await l.sessions.list({})).sessions).toHaveLength(1);
    void hanging;
  });

  test("a simultaneous send and stop end stopped, and a send and a removal end removed (trusty 34)", async () => {
    for (const end of ["stop", "remove"] as const) {
      const { sessions } = fixture();
      const { session } = await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
      const { id } = session.record;
      await Promise.allSettled([
        sessions.send({ session: id, text: "echo a" }),
        sessions[end]({ session: id }),
        sessions.send({ session: id, text: "echo b" }),
      ]);
      expect((await sessions.show({ session: id })).record).toMatchObject({
        state: end === "stop" ? "stopped" : "decommissioned",
        intent: null,
      });
    }
  });

  test("requests for one session run in the order of their arrival", async () => {
    const { sessions } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "a" });
    const { record } = await sessions.show({ session: "a" });
    const ids = { session: record.id };
    await Promise.all([
      sessions.stop(ids),
      sessions.resume(ids),
      sessions.rename({ ...ids, name: "b" }),
      sessions.restart(ids),
      sessions.stop(ids),
    ]);
    expect((await sessions.show(ids)).record).toMatchObject({ name: "b", state: "stopped", stop_cause: "deliberate", intent: null });
  });

  test("a stopped tmux server fails dependent requests in time, changes no record, and records stay readable meanwhile", {
    timeout: 240_000,
  }, async () => {
    const hostFixture = await tmuxFixture();
    try {
      for (const name of ["one", "two"]) await hostFixture.sessions.create({ ...job, name, cwd: hostFixture.cwd });
      await hostFixture.sessions.stop({ session: "two" });
      const before = await hostFixture.store.list();
      await hostFixture.stopServer();
      const failing = [
        hostFixture.sessions.stop({ session: "one" }),
        hostFixture.sessions.restart({ session: "one" }),
        hostFixture.sessions.capture({ session: "one" }),
      ].map((work) => work.catch((error: unknown) => error));
      expect((await hostFixture.sessions.list({})).sessions).toHaveLength(2);
      expect((await hostFixture.sessions.show({ session: "one" })).record.state).toBe("active");
      expect((await hostFixture.sessions.set({ session: "two", task: "meanwhile" })).record.task).toBe("meanwhile");
      for (const error of await Promise.all(failing)) expect(error).toMatchObject({ code: "TMUX_UNRESPONSIVE" });
      expect((await hostFixture.sessions.show({ session: "one" })).record).toEqual(
        before.flatMap((entry) => (entry.kind === "session" && entry.record.name === "one" ? [entry.record] : []))[0],
      );
      await hostFixture.continueServer();
      await expect.poll(async () => (await hostFixture.driver.list()).kind).toBe("present");
      expect((await hostFixture.sessions.restart({ session: "one" })).session.record.state).toBe("active");
    } finally {
      await hostFixture.dispose();
    }
  });
});
