import type { AgentAdapter } from "@tmpm/agents";
import { describe, expect, test } from "vitest";
import { composer, fixture } from "../fixtures/fixture.js";

describe("stop, resume and remove", () => {
  test("stop ends the program, keeps the record, and is idempotent", async () => {
    const { sessions, tmux } = fixture();
    const { session } = await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    const stopped = await sessions.stop({ session: "demo" });
    expect(stopped).toMatchObject({
      survivors: [],
      session: { record: { state: "stopped", stop_cause: "deliberate", pane: null, pid: null, intent: null } },
    });
    const answer = await tmux.driver.list();
    expect(answer.kind === "present" ? answer.value : []).toEqual([]);
    const again = await sessions.stop({ session: session.record.id });
    expect(again.session.record.rev).toBe(stopped.session.record.rev);
  });

  test("stop reports surviving processes, and remove is then refused", async () => {
    const { sessions } = fixture({ programs: { cat: () => ({ signal: () => "stays" }) } });
    await sessions.create({ agent: "command", cwd: "/w", name: "demo", argv: ["/bin/cat"] });
    const { survivors, session } = await sessions.remove({ session: "demo" });
    expect(survivors).toHaveLength(1);
    expect(session.record.state).toBe("stopped");
  });

  test("resume launches the same agent in the same directory with the same conversation", async () => {
    const { sessions } = fixture();
    const { session } = await sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    await sessions.stop({ session: "demo" });
    const resumed = await sessions.resume({ session: "demo" });
    expect(resumed.record).toMatchObject({
      id: session.record.id,
      state: "active",
      cwd: "/w",
      agent: "composer",
      conversation_id: session.record.conversation_id,
      stop_cause: null,
    });
    expect(resumed.record.pane).not.toEqual(session.record.pane);
  });

  test("resume uses the session's own name when the renamed tmux session's name is taken, or a free one when both are", async () => {
    const { sessions, store, tmux } = fixture();
    const { session } = await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    await sessions.stop({ session: "demo" });
    await store.update(session.record.id, (current) => ({ ...current, tmux_name: "mine" }));
    tmux.openForeign("mine");
    const resumed = await sessions.resume({ session: "demo" });
    expect(resumed.record).toMatchObject({ state: "active", name: "demo", tmux_name: "tmpm-demo" });
    await sessions.stop({ session: "demo" });
    tmux.openForeign("tmpm-demo");
    expect((await sessions.resume({ session: "demo" })).record).toMatchObject({ name: "demo", tmux_name: "tmpm-demo-2" });
  });

  test("resume records a new conversation that the agent started instead of the old one", async () => {
    const forgetful: AgentAdapter = {
      ...composer,
      id: "forgetful",
      launch: (request) => composer.launch({ ...request, conversationId: null }),
    };
    const { sessions } = fixture({ adapters: [forgetful] });
    const { session } = await sessions.create({ agent: "forgetful", cwd: "/w", name: "demo" });
    await sessions.stop({ session: "demo" });
    const { record } = await sessions.resume({ session: "demo" });
    expect(record.conversation_id).not.toBeNull();
    expect(record.conversation_id).not.toBe(session.record.conversation_id);
  });

  test("resume of an active session is INVALID_STATE with both states in the message; a missing directory starts nothing", async () => {
    const { sessions, tmux, store } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    await expect(sessions.resume({ session: "demo" })).rejects.toMatchObject({
      code: "INVALID_STATE",
      message: expect.stringMatching(/'active'.*stopped or errored/),
    });
    await sessions.stop({ session: "demo" });
    const { record } = await sessions.show({ session: "demo" });
    await store.update(record.id, (current) => ({ ...current, cwd: "/missing/now" }));
    await expect(sessions.resume({ session: "demo" })).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
    expect(await tmux.driver.list()).not.toMatchObject({ value: [expect.anything()] });
  });

  test("two simultaneous resumes launch once", async () => {
    const { sessions, tmux } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    await sessions.stop({ session: "demo" });
    const results = await Promise.allSettled([1, 2].map(() => sessions.resume({ session: "demo" })));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await tmux.driver.list()).toMatchObject({ value: [expect.anything()] });
  });

  test("a removed session leaves the list, is shown with --all, releases its name, and refuses every other verb", async () => {
    const { sessions } = fixture();
    const { session } = await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    await sessions.remove({ session: "demo" });
    expect((await sessions.list({})).sessions).toEqual([]);
    expect((await sessions.list({ all: true })).sessions.map(({ record }) => record.state)).toEqual(["decommissioned"]);
    for (const verb of ["stop", "resume", "remove"] as const) {
      await expect(sessions[verb]({ session: session.record.id })).rejects.toMatchObject({ code: "INVALID_STATE" });
    }
    const fresh = await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    expect((await sessions.show({ session: "demo" })).record.id).toBe(fresh.session.record.id);
  });

  test("does not touch a foreign terminal: after a restart of tmux the record changes and the foreign program survives", async () => {
    const { sessions, tmux } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    tmux.restartServer();
    tmux.openForeign("stranger");
    await sessions.stop({ session: "demo" });
    expect((await sessions.show({ session: "demo" })).record.state).toBe("stopped");
    expect(await tmux.driver.list()).toMatchObject({ value: [{ tmuxName: "stranger" }] });
  });

  test("while tmux does not answer, stop and send fail and change no record; list and show answer", async () => {
    const { sessions, tmux, store } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    const before = await store.list();
    tmux.stopServer();
    await expect(sessions.stop({ session: "demo" })).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE" });
    await expect(sessions.send({ session: "demo", text: "x" })).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE" });
    expect((await sessions.reconcile()).unobservable).toMatchObject([{ error: { code: "TMUX_UNRESPONSIVE" } }]);
    expect(await store.list()).toEqual(before);
    expect((await sessions.list({})).sessions[0]).toMatchObject({ record: { state: "active" } });
    tmux.continueServer();
    expect((await sessions.stop({ session: "demo" })).session.record.state).toBe("stopped");
  });

  test("an expired belief is no longer shown", async () => {
    const { sessions, tmux } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    expect((await sessions.show({ session: "demo" })).activity.state).toBe("idle");
    tmux.advance(31_000);
    const { activity } = await sessions.show({ session: "demo" });
    expect(activity).toMatchObject({ state: "unknown", confidence: 0 });
    expect(activity.evidence[0]).toContain("last seen as idle");
  });
});

describe("finding a session", () => {
  test("by name, tmux name, id and prefix; an exact name wins over a prefix, an ambiguous one names the candidates", async () => {
    const { sessions } = fixture();
    for (const name of ["app", "app-two", "other"]) await sessions.create({ agent: "shell", cwd: "/w", name });
    const { record } = await sessions.show({ session: "app" });
    for (const text of [record.id, "tmpm-app", "oth"])
      expect((await sessions.show({ session: text })).record.name).toBe(text === "oth" ? "other" : "app");
    await expect(sessions.show({ session: "ap" })).rejects.toMatchObject({
      code: "SESSION_AMBIGUOUS",
      details: {
        candidates: expect.arrayContaining([expect.objectContaining({ name: "app" }), expect.objectContaining({ name: "app-two" })]),
      },
    });
    for (const text of ["", "nobody", "../app", "%"])
      await expect(sessions.show({ session: text })).rejects.toMatchObject({
        code: "SESSION_NOT_FOUND",
        hint: expect.stringMatching(/^`tmpm ls/),
      });
    await expect(sessions.show({ session: "otehr" })).rejects.toMatchObject({
      code: "SESSION_NOT_FOUND",
      hint: expect.stringMatching(/^Did you mean other\?/),
    });
  });
});

describe("wait", () => {
  test("wait resolves when the shell is idle again, and when the program has ended", async () => {
    const { sessions } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    await sessions.send({ session: "demo", text: "sleep 20" });
    expect((await sessions.wait({ session: "demo", until: "idle", timeout_ms: 60_000 })).activity.state).toBe("idle");
    await sessions.send({ session: "demo", text: "exit 4" });
    const ended = await sessions.wait({ session: "demo", until: "exited", timeout_ms: 60_000 });
    expect(ended.record).toMatchObject({ state: "stopped", stop_cause: "unexpected", exit: { status: 4 } });
  });

  test("wait reports the session's activity at the timeout, and rejects a wait for input of an ended one", async () => {
    const { sessions } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    await sessions.send({ session: "demo", text: "sleep 500" });
    await expect(sessions.wait({ session: "demo", until: "idle", timeout_ms: 1_000 })).rejects.toMatchObject({
      code: "TIMEOUT",
      details: { sessions: [{ name: "demo", activity: "working" }] },
    });
    await sessions.stop({ session: "demo" });
    await expect(sessions.wait({ session: "demo", until: "idle", timeout_ms: 1_000 })).rejects.toMatchObject({ code: "INVALID_STATE" });
  });

  test("wait continues while tmux does not answer", async () => {
    const { sessions, tmux } = fixture();
    await sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    tmux.stopServer();
    await expect(sessions.wait({ session: "demo", until: "exited", timeout_ms: 2_000 })).rejects.toMatchObject({ code: "TIMEOUT" });
    expect((await sessions.show({ session: "demo" })).record.state).toBe("active");
  });
});
