import { describe, expect, test } from "vitest";
import { STEPS } from "../src/index.js";
import { CRASH, type Lab, lab } from "./lab.js";

/** Runs the operation that reaches the step, and crashes there. */
async function crashAt(at: (typeof STEPS)[number]): Promise<Lab> {
  const l = lab();
  const [operation] = at.split(".");
  if (operation !== "create") await l.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
  if (operation === "resume") await l.sessions.stop({ session: "demo" });
  l.crashAt(at);
  const run = {
    create: () => l.sessions.create({ agent: "composer", cwd: "/w", name: "demo" }),
    stop: () => l.sessions.stop({ session: "demo" }),
    resume: () => l.sessions.resume({ session: "demo" }),
    remove: () => l.sessions.remove({ session: "demo" }),
  }[operation as "create" | "stop" | "resume" | "remove"];
  await expect(run()).rejects.toBe(CRASH);
  l.crashAt(null);
  return l;
}

describe("reconcile after a crash", () => {
  test.each(STEPS.filter((step) => /^(create|stop|resume|remove)\./.test(step)))(
    "at %s: no unfinished intent, no unknown terminal, no lost record",
    async (step) => {
      const l = await crashAt(step);
      const sessions = l.restarted();
      await sessions.reconcile();
      const { sessions: all } = await sessions.list({ all: true });
      expect(all).toHaveLength(1);
      const record = all[0]?.record;
      expect(record?.intent).toBeNull();
      const answer = await l.tmux.driver.list();
      const panes = answer.kind === "present" ? answer.value : [];
      expect(panes.map(({ sessionId, identity }) => [sessionId, identity])).toEqual(
        record?.state === "active" ? [[record.id, record.pane]] : [],
      );
      const [operation] = step.split(".");
      const expected = {
        create: step === "create.intended" ? "errored" : "active",
        resume: step === "resume.intended" ? "errored" : "active",
        stop: "stopped",
        remove: step === "remove.recorded" ? "decommissioned" : "stopped",
      };
      expect(record?.state).toBe(expected[operation as keyof typeof expected]);
    },
  );

  test("reconciling twice changes nothing more", async () => {
    const l = await crashAt("create.opened");
    await l.restarted().reconcile();
    const before = await l.store.list();
    await l.restarted().reconcile();
    expect(await l.store.list()).toEqual(before);
  });
});

describe("reconcile", () => {
  test("what is provably gone is stopped unexpectedly, what lives stays active, what is finished is not touched", async () => {
    const { sessions, tmux, store } = lab();
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

  test("a whole server that died stops its sessions unexpectedly, and they resume", async () => {
    const { sessions, tmux } = lab();
    for (const name of ["one", "two"]) await sessions.create({ agent: "shell", cwd: "/w", name });
    tmux.killServer();
    await sessions.reconcile();
    for (const name of ["one", "two"]) {
      expect((await sessions.show({ session: name })).record).toMatchObject({ state: "stopped", stop_cause: "unexpected" });
      expect((await sessions.resume({ session: name })).record.state).toBe("active");
    }
  });

  test.each(["hang", "unknown"] as const)("a listing that gives no answer (%s) changes nothing", async (failure) => {
    const { sessions, tmux, store } = lab();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    const before = await store.list();
    tmux.failNext("list", failure);
    const running = sessions.reconcile();
    // The listing has begun by then.
    await new Promise(setImmediate);
    tmux.advance(3_001);
    expect((await running).unobservable).toMatchObject([{ error: { code: "TMUX_UNRESPONSIVE" } }]);
    expect(await store.list()).toEqual(before);
  });
});

describe("the background look", () => {
  test("notices an exit by itself, keeps its status and last lines, and removes the dead terminal", async () => {
    const { sessions, tmux, events } = lab();
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

  test("remembers that a person was attached, so that the session is Detached once they leave", async () => {
    const { sessions, tmux } = lab();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    sessions.start();
    const detach = tmux.attachViewer("tmpm-demo");
    await expect.poll(async () => (await sessions.show({ session: "demo" })).record.viewed_at).not.toBeNull();
    detach();
    await expect.poll(async () => (await sessions.show({ session: "demo" })).viewers).toBe(0);
    await sessions.close();
  });
});
