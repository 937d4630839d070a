import { afterEach, describe, expect } from "vitest";
import { conversationFixture } from "../fixtures/conversation-fixture.js";
import { fakeFixture } from "../fixtures/fake-fixture.js";
import { type HostFixture, panesOf, recordOf, recordsOf, type ServerHostFixture } from "../fixtures/host-fixture.js";
import { ptyFixture } from "../fixtures/pty-fixture.js";
import { ALL_HOSTS, oneIn } from "../fixtures/sampled-hosts.js";
import { tmuxFixture } from "../fixtures/tmux-fixture.js";

const open = new Set<HostFixture>();
afterEach(async () => {
  for (const fixture of open) await fixture.dispose();
  open.clear();
});

const KINDS = [
  { kind: "the fake", make: fakeFixture, every: 1, many: 100 },
  { kind: "a real tmux", make: () => tmuxFixture(), every: ALL_HOSTS ? 1 : 3, many: ALL_HOSTS ? 100 : 30 },
  { kind: "PTYs of ours", make: () => ptyFixture(), every: ALL_HOSTS ? 1 : 8, many: 12 },
  { kind: "conversations", make: conversationFixture, every: ALL_HOSTS ? 1 : 12, many: 8 },
] as const;

const refused = (code: string) => expect.objectContaining({ code });
const namesIn = async (fixture: HostFixture) => (await panesOf(fixture)).map(({ tmuxName }) => tmuxName).sort();

async function fixtureOf<B extends HostFixture>(make: () => Promise<B>, names: readonly string[]): Promise<B> {
  const fixture = await make();
  open.add(fixture);
  for (const name of names) await fixture.sessions.create({ ...fixture.job, name, cwd: fixture.cwd });
  return fixture;
}

describe.each(KINDS)("on $kind", ({ make, every, many }) => {
  const declare = oneIn(every);
  const fixtureWith = (...names: readonly string[]) => fixtureOf<HostFixture>(make, names);

  declare("a paused session stays paused across a restart, with its summary, until resumed (trusty 49)", async () => {
    const fixture = await fixtureWith("one");
    const { session } = await fixture.sessions.pause({ session: "one", summary: " docs are left \n" });
    expect(session.record).toMatchObject({ state: "active", pause_summary: "docs are left", paused_at: expect.any(String) });
    const later = fixture.restarted();
    await later.reconcile();
    expect((await later.show({ session: "one" })).record).toMatchObject({ state: "active", pause_summary: "docs are left" });
    await later.pause({ session: "one" });
    const again = await recordOf(fixture, "one");
    expect(again).toMatchObject({ paused_at: session.record.paused_at, pause_summary: "docs are left" });
    expect((await later.resume({ session: "one" })).record).toMatchObject({ paused_at: null, pause_summary: null, pane: again.pane });
    await expect(later.resume({ session: "one" })).rejects.toEqual(refused("INVALID_STATE"));
    await expect(later.pause({ session: "nobody" })).rejects.toEqual(refused("SESSION_NOT_FOUND"));
    await later.stop({ session: "one" });
    await expect(later.pause({ session: "one" })).rejects.toEqual(refused("INVALID_STATE"));
    expect(fixture.events.map(({ type }) => type)).toEqual(expect.arrayContaining(["session_paused", "session_unpaused"]));
  });

  declare("stop ends a pause, and resume launches a session whose program has ended", async () => {
    const fixture = await fixtureWith("one");
    await fixture.sessions.pause({ session: "one" });
    await fixture.end(await recordOf(fixture, "one"), 0);
    await expect.poll(async () => (await panesOf(fixture)).filter(({ exit }) => exit === null).length).toBe(0);
    const resumed = await fixture.sessions.resume({ session: "one" });
    expect(resumed.record).toMatchObject({ state: "active", paused_at: null });
    expect(await panesOf(fixture)).toHaveLength(1);
  });

  declare("restart runs one program after the other, with the same id and conversation, from every resumable state", async () => {
    const fixture = await fixtureWith("one");
    const before = await recordOf(fixture, "one");
    const { session, left_alone } = await fixture.sessions.restart({ session: "one" });
    expect(left_alone).toBeNull();
    expect(session.record).toMatchObject({
      id: before.id,
      state: "active",
      intent: null,
      stop_cause: null,
      conversation_id: before.conversation_id,
    });
    expect(session.record.pane).not.toEqual(before.pane);
    expect((await panesOf(fixture)).map(({ identity, exit }) => [identity, exit])).toEqual([[session.record.pane, null]]);
    await fixture.sessions.stop({ session: "one" });
    expect((await fixture.sessions.restart({ session: "one" })).session.record.state).toBe("active");
    await fixture.sessions.remove({ session: "one" });
    await expect(fixture.sessions.restart({ session: before.id })).rejects.toEqual(refused("INVALID_STATE"));
  });

  declare("a restart that cannot launch ends nothing", async () => {
    const fixture = await fixtureWith("one");
    const { id, pane } = await recordOf(fixture, "one");
    await fixture.store.update(id, (current) => ({ ...current, cwd: "/missing/now" }));
    await expect(fixture.sessions.restart({ session: "one" })).rejects.toEqual(refused("DIRECTORY_NOT_FOUND"));
    await fixture.store.update(id, (current) => ({ ...current, cwd: fixture.cwd, agent_config: { argv: ["no-such-program"] } }));
    await expect(fixture.sessions.restart({ session: "one" })).rejects.toEqual(refused("AGENT_NOT_INSTALLED"));
    expect((await panesOf(fixture)).map(({ identity, exit }) => [identity, exit])).toEqual([[pane, null]]);
    expect(await recordOf(fixture, "one")).toMatchObject({ state: "active", intent: null });
  });

  declare("resume takes over a program that is running anyway, and never starts a second one", async () => {
    const fixture = await fixtureWith("one");
    const { id, pane } = await recordOf(fixture, "one");
    await fixture.store.update(id, (current) => ({ ...current, state: "stopped", stop_cause: "deliberate", pane: null, pid: null }));
    expect((await fixture.sessions.resume({ session: "one" })).record).toMatchObject({ state: "active", pane });
    expect(await panesOf(fixture)).toHaveLength(1);
  });

  declare("a renamed session keeps its terminal, which is renamed where terminals have names, and frees its old name", async () => {
    const fixture = await fixtureWith("one");
    const { id, pane } = await recordOf(fixture, "one");
    expect(await fixture.sessions.rename({ session: "one", name: "two" })).toMatchObject({
      left_alone: null,
      session: { record: { id, name: "two", tmux_name: "tmpm-two", pane, state: "active", intent: null } },
    });
    if (fixture.driver.rename !== undefined) expect(await namesIn(fixture)).toEqual(["tmpm-two"]);
    await fixture.sessions.create({ ...fixture.job, name: "one", cwd: fixture.cwd });
    expect((await fixture.sessions.show({ session: "one" })).record.id).not.toBe(id);
    await expect(fixture.sessions.rename({ session: "one", name: "two" })).rejects.toEqual(refused("NAME_TAKEN"));
    await expect(fixture.sessions.rename({ session: "one", name: "a b" })).rejects.toEqual(refused("INVALID_ARGUMENT"));
    await fixture.sessions.stop({ session: "two" });
    await expect(fixture.sessions.rename({ session: "one", name: "two" })).rejects.toEqual(refused("NAME_TAKEN"));
    expect((await fixture.sessions.rename({ session: "two", name: "three" })).session.record).toMatchObject({
      name: "three",
      tmux_name: "tmpm-three",
    });
    expect((await fixture.sessions.resume({ session: "three" })).record.state).toBe("active");
    expect(await namesIn(fixture)).toEqual(["tmpm-one", "tmpm-three"]);
    expect(fixture.events).toContainEqual(expect.objectContaining({ type: "session_renamed", from: "one", to: "two", reason: "asked" }));
  });

  declare("an archived session leaves the list, keeps its name, and returns when resumed", async () => {
    const fixture = await fixtureWith("one", "two");
    await expect(fixture.sessions.archive({ session: "one" })).rejects.toEqual(refused("INVALID_STATE"));
    await fixture.sessions.stop({ session: "one" });
    await fixture.sessions.archive({ session: "one" });
    await fixture.sessions.archive({ session: "one" });
    const listed = async (filter: object) => (await fixture.sessions.list(filter)).sessions.map(({ record }) => record.name).sort();
    expect(await listed({})).toEqual(["two"]);
    expect(await listed({ archived: true })).toEqual(["one"]);
    expect(await listed({ all: true })).toEqual(["one", "two"]);
    await expect(fixture.sessions.create({ ...fixture.job, name: "one", cwd: fixture.cwd })).rejects.toEqual(refused("NAME_TAKEN"));
    expect((await fixture.sessions.reactivate({ session: "one" })).record).toMatchObject({ state: "stopped", name: "one" });
    expect(await listed({})).toEqual(["one", "two"]);
    await expect(fixture.sessions.reactivate({ session: "one" })).rejects.toMatchObject({
      code: "INVALID_STATE",
      hint: "It is not finished; `tmpm resume one` restarts it.",
    });
    await fixture.sessions.archive({ session: "one" });
    expect((await fixture.sessions.reactivate({ session: "one", name: "first" })).record).toMatchObject({ tmux_name: "tmpm-first" });
    await fixture.sessions.archive({ session: "first" });
    await fixture.sessions.resume({ session: "first" });
    expect(await listed({})).toEqual(["first", "two"]);
    expect(fixture.events.filter(({ type }) => type === "session_archived")).toHaveLength(3);
  });

  declare("delete requires a stopped session, purge removes its record, and reactivate undoes a delete", async () => {
    const fixture = await fixtureWith("one");
    const { id } = await recordOf(fixture, "one");
    for (const purge of [false, true]) {
      await expect(fixture.sessions.delete({ session: "one", purge })).rejects.toEqual(refused("INVALID_STATE"));
    }
    await fixture.sessions.stop({ session: "one" });
    expect(await fixture.sessions.delete({ session: "one" })).toMatchObject({ purged: false, session: { record: { state: "deleted" } } });
    await expect(fixture.sessions.delete({ session: id })).rejects.toEqual(refused("INVALID_STATE"));
    expect((await fixture.sessions.reactivate({ session: id })).record).toMatchObject({ state: "stopped", terminal_at: null, name: "one" });
    expect((await fixture.sessions.resume({ session: "one" })).record.state).toBe("active");
    await expect(fixture.sessions.reactivate({ session: id })).rejects.toEqual(refused("INVALID_STATE"));
    await fixture.sessions.remove({ session: "one" });
    await fixture.sessions.create({ ...fixture.job, name: "one", cwd: fixture.cwd });
    await expect(fixture.sessions.reactivate({ session: id })).rejects.toEqual(refused("NAME_TAKEN"));
    expect((await fixture.sessions.reactivate({ session: id, name: "old" })).record).toMatchObject({ name: "old", tmux_name: "tmpm-old" });
    expect(await fixture.sessions.delete({ session: "old", purge: true })).toMatchObject({ purged: true });
    await expect(fixture.sessions.show({ session: id })).rejects.toEqual(refused("SESSION_NOT_FOUND"));
    expect([...(await recordsOf(fixture)).keys()]).toEqual(["one"]);
  });

  declare(
    "marking errored twice replaces the message and keeps the task; running and finished sessions are rejected (trusty 30)",
    async () => {
      const fixture = await fixtureWith("one");
      const mark = (message: string) => fixture.sessions.markErrored({ session: "one", message });
      await fixture.sessions.set({ session: "one", task: "fix it" });
      await expect(mark("early")).rejects.toEqual(refused("INVALID_STATE"));
      await fixture.sessions.stop({ session: "one" });
      await mark("first");
      expect((await mark(" second ")).record).toMatchObject({
        state: "errored",
        task: "fix it",
        last_error: { code: "MARKED_ERRORED", message: "second" },
      });
      await expect(mark("  ")).rejects.toEqual(refused("INVALID_ARGUMENT"));
      await expect(mark("x".repeat(5_000))).rejects.toEqual(refused("INVALID_ARGUMENT"));
      await fixture.sessions.remove({ session: "one" });
      const before = await recordOf(fixture, "one");
      await expect(mark("late")).rejects.toEqual(refused("INVALID_STATE"));
      expect(await recordOf(fixture, "one")).toEqual(before);
    },
  );

  declare("set changes and clears the given fields of a session only", async () => {
    const fixture = await fixtureWith("one");
    const before = await recordOf(fixture, "one");
    const noted = {
      issue_id: "17",
      issue_url: "https://example.org/17",
      claimed_pr_number: 4,
      claimed_pr_url: "http://example.org/4",
      task: "größer",
    };
    await fixture.sessions.set({ session: "one", ...noted });
    expect(await recordOf(fixture, "one")).toMatchObject({
      ...noted,
      state: before.state,
    });
    await fixture.sessions.set({
      session: "one",
      issue_id: "",
      issue_url: null,
      claimed_pr_number: null,
      claimed_pr_url: "",
      task: "",
    });
    const { issue_id, issue_url, claimed_pr_number, claimed_pr_url, task, agent_config } = await recordOf(fixture, "one");
    expect([issue_id, issue_url, claimed_pr_number, claimed_pr_url, task, agent_config]).toEqual([
      null,
      null,
      null,
      null,
      "",
      before.agent_config,
    ]);
    for (const bad of [{}, { issue_url: "javascript:alert(1)" }, { claimed_pr_url: "no url" }, { task: "x".repeat(70_000) }]) {
      await expect(fixture.sessions.set({ session: "one", ...bad })).rejects.toEqual(refused("INVALID_ARGUMENT"));
    }
    await expect(fixture.sessions.set({ session: "one", task: "\u0000" })).rejects.toEqual(refused("INVALID_TEXT"));
    await fixture.sessions.remove({ session: "one" });
    await expect(fixture.sessions.set({ session: before.id, task: "late" })).rejects.toEqual(refused("INVALID_STATE"));
  });

  declare(
    "many concurrent creates in one directory get a name and a terminal each",
    async () => {
      const fixture = await fixtureWith();
      const created = await Promise.all(Array.from({ length: many }, () => fixture.sessions.create({ ...fixture.job, cwd: fixture.cwd })));
      const records = created.map(({ session }) => session.record);
      expect(new Set(records.map(({ name }) => name)).size).toBe(many);
      expect(new Set(records.map(({ pane }) => `${pane?.socket} ${pane?.pane_id}`)).size).toBe(many);
      expect(records.every(({ state, intent }) => state === "active" && intent === null)).toBe(true);
      const panes = new Map((await panesOf(fixture)).map(({ sessionId, identity }) => [sessionId, identity]));
      expect(records.every(({ id, pane }) => panes.get(id)?.socket === pane?.socket && panes.get(id)?.pane_id === pane?.pane_id)).toBe(
        true,
      );
      expect(panes.size).toBe(many);
    },
    240_000,
  );

  declare(
    "a launch that cannot be recorded is rolled back: one kill of exactly that terminal, and a record with the reason (trusty 20)",
    async () => {
      const fixture = await fixtureWith("other");
      fixture.onStep((step) => {
        if (step === "create.confirmed") fixture.store.failNext("update", new Error("EIO: the disk"));
      });
      await expect(fixture.sessions.create({ ...fixture.job, name: "one", cwd: fixture.cwd })).rejects.toThrow("EIO");
      fixture.onStep(null);
      expect(await recordOf(fixture, "one")).toMatchObject({
        state: "errored",
        intent: null,
        last_error: { message: expect.stringContaining("EIO") },
      });
      expect(await namesIn(fixture)).toEqual(["tmpm-other"]);
      expect((await fixture.sessions.resume({ session: "one" })).record.state).toBe("active");
    },
  );

  declare("an agent is found by id, alias or display name, and an unknown one starts nothing (trusty 22)", async () => {
    const fixture = await fixtureWith();
    for (const agent of ["gpt", "Claude Code"]) {
      await expect(fixture.sessions.create({ agent, cwd: fixture.cwd })).rejects.toMatchObject({
        code: "AGENT_UNKNOWN",
        message: /gpt|'claude'/,
      });
    }
    expect(await panesOf(fixture)).toEqual([]);
    expect((await recordsOf(fixture)).size).toBe(0);
  });
});

describe.each([
  { kind: "the fake", make: fakeFixture, every: 1 },
  { kind: "a real tmux", make: () => tmuxFixture(), every: ALL_HOSTS ? 1 : 2 },
] as const)("where terminals have names, on $kind", ({ make, every }) => {
  const declare = oneIn(every);
  const fixtureWith = (...names: readonly string[]) => fixtureOf<ServerHostFixture>(make, names);

  declare("rename rejects the name of a foreign tmux session, and the session keeps its own", async () => {
    const fixture = await fixtureWith("one");
    await fixture.open("tmpm-two");
    await expect(fixture.sessions.rename({ session: "one", name: "two" })).rejects.toEqual(refused("NAME_TAKEN"));
    expect(await recordOf(fixture, "one")).toMatchObject({ name: "one", tmux_name: "tmpm-one", intent: null });
    expect(await namesIn(fixture)).toEqual(["tmpm-one", "tmpm-two"]);
  });

  declare("a rename that a crash interrupted is rolled back when a foreign tmux session has the new name", async () => {
    const fixture = await fixtureWith("one");
    fixture.onStep((step) => {
      if (step === "rename.intended") throw new Error("crash");
    });
    await expect(fixture.sessions.rename({ session: "one", name: "two" })).rejects.toThrow("crash");
    fixture.onStep(null);
    await fixture.open("tmpm-two");
    await fixture.restarted().reconcile();
    expect(await recordOf(fixture, "one")).toMatchObject({ name: "one", tmux_name: "tmpm-one", intent: null });
    expect(await namesIn(fixture)).toEqual(["tmpm-one", "tmpm-two"]);
  });

  declare("a rename that a crash interrupted leaves the old name to the session that took it meanwhile", async () => {
    const fixture = await fixtureWith("one");
    fixture.onStep((step) => {
      if (step === "rename.intended") throw new Error("crash");
    });
    await expect(fixture.sessions.rename({ session: "one", name: "two" })).rejects.toThrow("crash");
    fixture.onStep(null);
    const id = (await recordOf(fixture, "two")).id;
    await fixture.store.create({
      ...(await recordOf(fixture, "two")),
      id: "00000000-0000-4000-8000-00000000000f",
      name: "one",
      intent: null,
      pane: null,
      state: "stopped",
    });
    await fixture.open("tmpm-two");
    await fixture.restarted().reconcile();
    expect((await recordOf(fixture, "two")).id).toBe(id);
    expect((await recordOf(fixture, "one")).id).not.toBe(id);
  });

  declare("after a restart of tmux, a foreign session with the session's name is left alone, and the answer reports it", async () => {
    const fixture = await fixtureWith("one", "two");
    await fixture.restartServer();
    await fixture.open("tmpm-one");
    await fixture.open("tmpm-two");
    const stopped = await fixture.sessions.stop({ session: "one" });
    expect(stopped).toMatchObject({
      survivors: [],
      left_alone: expect.stringContaining("tmpm-one"),
      session: { record: { state: "stopped" } },
    });
    expect(await namesIn(fixture)).toEqual(expect.arrayContaining(["tmpm-one", "tmpm-two"]));
    expect(await fixture.sessions.restart({ session: "two" })).toMatchObject({ left_alone: expect.stringContaining("tmpm-two") });
    expect(await recordOf(fixture, "two")).toMatchObject({ state: "active", tmux_name: "tmpm-two-2" });
    const strangers = (await panesOf(fixture)).filter(({ tmuxName }) => tmuxName === "tmpm-one" || tmuxName === "tmpm-two");
    expect(strangers.map(({ sessionId, exit }) => [sessionId, exit])).toEqual([
      [null, null],
      [null, null],
    ]);
  });
});
