import { afterEach, describe, expect } from "vitest";
import { type Bed, panesOf, recordOf, recordsOf, type ServerBed } from "./bed.js";
import { conversationBed } from "./conversation-bed.js";
import { fakeBed } from "./fake-bed.js";
import { ptyBed } from "./pty-bed.js";
import { ALL_HOSTS, oneIn } from "./sampled-hosts.js";
import { tmuxBed } from "./tmux-bed.js";

const open = new Set<Bed>();
afterEach(async () => {
  for (const bed of open) await bed.dispose();
  open.clear();
});

const KINDS = [
  { kind: "the fake", make: fakeBed, every: 1, many: 100 },
  { kind: "a real tmux", make: () => tmuxBed(), every: ALL_HOSTS ? 1 : 3, many: ALL_HOSTS ? 100 : 30 },
  { kind: "PTYs of ours", make: () => ptyBed(), every: ALL_HOSTS ? 1 : 8, many: 12 },
  { kind: "conversations", make: conversationBed, every: ALL_HOSTS ? 1 : 12, many: 8 },
] as const;

const refused = (code: string) => expect.objectContaining({ code });
const namesIn = async (bed: Bed) => (await panesOf(bed)).map(({ tmuxName }) => tmuxName).sort();

async function bedOf<B extends Bed>(make: () => Promise<B>, names: readonly string[]): Promise<B> {
  const bed = await make();
  open.add(bed);
  for (const name of names) await bed.sessions.create({ ...bed.job, name, cwd: bed.cwd });
  return bed;
}

describe.each(KINDS)("on $kind", ({ make, every, many }) => {
  const declare = oneIn(every);
  const bedWith = (...names: readonly string[]) => bedOf<Bed>(make, names);

  declare("a paused session stays paused over a restart, with its summary, until it is resumed (trusty 49)", async () => {
    const bed = await bedWith("one");
    const { session } = await bed.sessions.pause({ session: "one", summary: " docs are left \n" });
    expect(session.record).toMatchObject({ state: "active", pause_summary: "docs are left", paused_at: expect.any(String) });
    const later = bed.restarted();
    await later.reconcile();
    expect((await later.show({ session: "one" })).record).toMatchObject({ state: "active", pause_summary: "docs are left" });
    await later.pause({ session: "one" });
    const again = await recordOf(bed, "one");
    expect(again).toMatchObject({ paused_at: session.record.paused_at, pause_summary: "docs are left" });
    expect((await later.resume({ session: "one" })).record).toMatchObject({ paused_at: null, pause_summary: null, pane: again.pane });
    await expect(later.resume({ session: "one" })).rejects.toEqual(refused("INVALID_STATE"));
    await expect(later.pause({ session: "nobody" })).rejects.toEqual(refused("SESSION_NOT_FOUND"));
    await later.stop({ session: "one" });
    await expect(later.pause({ session: "one" })).rejects.toEqual(refused("INVALID_STATE"));
    expect(bed.events.map(({ type }) => type)).toEqual(expect.arrayContaining(["session_paused", "session_unpaused"]));
  });

  declare("stopping a paused session ends its pause, and resuming one whose program has ended launches it", async () => {
    const bed = await bedWith("one");
    await bed.sessions.pause({ session: "one" });
    await bed.end(await recordOf(bed, "one"), 0);
    await expect.poll(async () => (await panesOf(bed)).filter(({ exit }) => exit === null).length).toBe(0);
    const resumed = await bed.sessions.resume({ session: "one" });
    expect(resumed.record).toMatchObject({ state: "active", paused_at: null });
    expect(await panesOf(bed)).toHaveLength(1);
  });

  declare("restart is one program after the other, with the same id and conversation, from every state that can be resumed", async () => {
    const bed = await bedWith("one");
    const before = await recordOf(bed, "one");
    const { session, left_alone } = await bed.sessions.restart({ session: "one" });
    expect(left_alone).toBeNull();
    expect(session.record).toMatchObject({
      id: before.id,
      state: "active",
      intent: null,
      stop_cause: null,
      conversation_id: before.conversation_id,
    });
    expect(session.record.pane).not.toEqual(before.pane);
    expect((await panesOf(bed)).map(({ identity, exit }) => [identity, exit])).toEqual([[session.record.pane, null]]);
    await bed.sessions.stop({ session: "one" });
    expect((await bed.sessions.restart({ session: "one" })).session.record.state).toBe("active");
    await bed.sessions.remove({ session: "one" });
    await expect(bed.sessions.restart({ session: before.id })).rejects.toEqual(refused("INVALID_STATE"));
  });

  declare("a restart that cannot be launched again ends nothing", async () => {
    const bed = await bedWith("one");
    const { id, pane } = await recordOf(bed, "one");
    await bed.store.update(id, (current) => ({ ...current, cwd: "/missing/now" }));
    await expect(bed.sessions.restart({ session: "one" })).rejects.toEqual(refused("DIRECTORY_NOT_FOUND"));
    await bed.store.update(id, (current) => ({ ...current, cwd: bed.cwd, agent_config: { argv: ["no-such-program"] } }));
    await expect(bed.sessions.restart({ session: "one" })).rejects.toEqual(refused("AGENT_NOT_INSTALLED"));
    expect((await panesOf(bed)).map(({ identity, exit }) => [identity, exit])).toEqual([[pane, null]]);
    expect(await recordOf(bed, "one")).toMatchObject({ state: "active", intent: null });
  });

  declare("a program that runs all the same is taken over by resume, never doubled", async () => {
    const bed = await bedWith("one");
    const { id, pane } = await recordOf(bed, "one");
    await bed.store.update(id, (current) => ({ ...current, state: "stopped", stop_cause: "deliberate", pane: null, pid: null }));
    expect((await bed.sessions.resume({ session: "one" })).record).toMatchObject({ state: "active", pane });
    expect(await panesOf(bed)).toHaveLength(1);
  });

  declare(
    "a renamed session keeps its terminal, whose name goes with it where terminals have names, and its old name is free",
    async () => {
      const bed = await bedWith("one");
      const { id, pane } = await recordOf(bed, "one");
      expect(await bed.sessions.rename({ session: "one", name: "two" })).toMatchObject({
        left_alone: null,
        session: { record: { id, name: "two", tmux_name: "tmpm-two", pane, state: "active", intent: null } },
      });
      if (bed.driver.rename !== undefined) expect(await namesIn(bed)).toEqual(["tmpm-two"]);
      await bed.sessions.create({ ...bed.job, name: "one", cwd: bed.cwd });
      expect((await bed.sessions.show({ session: "one" })).record.id).not.toBe(id);
      await expect(bed.sessions.rename({ session: "one", name: "two" })).rejects.toEqual(refused("NAME_TAKEN"));
      await expect(bed.sessions.rename({ session: "one", name: "a b" })).rejects.toEqual(refused("INVALID_ARGUMENT"));
      await bed.sessions.stop({ session: "two" });
      await expect(bed.sessions.rename({ session: "one", name: "two" })).rejects.toEqual(refused("NAME_TAKEN"));
      expect((await bed.sessions.rename({ session: "two", name: "three" })).session.record).toMatchObject({
        name: "three",
        tmux_name: "tmpm-three",
      });
      expect((await bed.sessions.resume({ session: "three" })).record.state).toBe("active");
      expect(await namesIn(bed)).toEqual(["tmpm-one", "tmpm-three"]);
      expect(bed.events).toContainEqual(expect.objectContaining({ type: "session_renamed", from: "one", to: "two", reason: "asked" }));
    },
  );

  declare("an archived session leaves the list, keeps its name, and comes back when it is resumed", async () => {
    const bed = await bedWith("one", "two");
    await expect(bed.sessions.archive({ session: "one" })).rejects.toEqual(refused("INVALID_STATE"));
    await bed.sessions.stop({ session: "one" });
    await bed.sessions.archive({ session: "one" });
    await bed.sessions.archive({ session: "one" });
    const listed = async (filter: object) => (await bed.sessions.list(filter)).sessions.map(({ record }) => record.name).sort();
    expect(await listed({})).toEqual(["two"]);
    expect(await listed({ archived: true })).toEqual(["one"]);
    expect(await listed({ all: true })).toEqual(["one", "two"]);
    await expect(bed.sessions.create({ ...bed.job, name: "one", cwd: bed.cwd })).rejects.toEqual(refused("NAME_TAKEN"));
    expect((await bed.sessions.reactivate({ session: "one" })).record).toMatchObject({ state: "stopped", name: "one" });
    expect(await listed({})).toEqual(["one", "two"]);
    await expect(bed.sessions.reactivate({ session: "one" })).rejects.toMatchObject({
      code: "INVALID_STATE",
      hint: "It is not finished; `tmpm resume one` restarts it.",
    });
    await bed.sessions.archive({ session: "one" });
    expect((await bed.sessions.reactivate({ session: "one", name: "first" })).record).toMatchObject({ tmux_name: "tmpm-first" });
    await bed.sessions.archive({ session: "first" });
    await bed.sessions.resume({ session: "first" });
    expect(await listed({})).toEqual(["first", "two"]);
    expect(bed.events.filter(({ type }) => type === "session_archived")).toHaveLength(3);
  });

  declare("only what does not run is deleted, only a purge removes its record, and reactivating takes it back", async () => {
    const bed = await bedWith("one");
    const { id } = await recordOf(bed, "one");
    for (const purge of [false, true]) {
      await expect(bed.sessions.delete({ session: "one", purge })).rejects.toEqual(refused("INVALID_STATE"));
    }
    await bed.sessions.stop({ session: "one" });
    expect(await bed.sessions.delete({ session: "one" })).toMatchObject({ purged: false, session: { record: { state: "deleted" } } });
    await expect(bed.sessions.delete({ session: id })).rejects.toEqual(refused("INVALID_STATE"));
    expect((await bed.sessions.reactivate({ session: id })).record).toMatchObject({ state: "stopped", terminal_at: null, name: "one" });
    expect((await bed.sessions.resume({ session: "one" })).record.state).toBe("active");
    await expect(bed.sessions.reactivate({ session: id })).rejects.toEqual(refused("INVALID_STATE"));
    await bed.sessions.remove({ session: "one" });
    await bed.sessions.create({ ...bed.job, name: "one", cwd: bed.cwd });
    await expect(bed.sessions.reactivate({ session: id })).rejects.toEqual(refused("NAME_TAKEN"));
    expect((await bed.sessions.reactivate({ session: id, name: "old" })).record).toMatchObject({ name: "old", tmux_name: "tmpm-old" });
    expect(await bed.sessions.delete({ session: "old", purge: true })).toMatchObject({ purged: true });
    await expect(bed.sessions.show({ session: id })).rejects.toEqual(refused("SESSION_NOT_FOUND"));
    expect([...(await recordsOf(bed)).keys()]).toEqual(["one"]);
  });

  declare(
    "marking errored twice replaces the message and leaves the task alone; what runs or is finished is refused (trusty 30)",
    async () => {
      const bed = await bedWith("one");
      const mark = (message: string) => bed.sessions.markErrored({ session: "one", message });
      await bed.sessions.set({ session: "one", task: "fix it" });
      await expect(mark("early")).rejects.toEqual(refused("INVALID_STATE"));
      await bed.sessions.stop({ session: "one" });
      await mark("first");
      expect((await mark(" second ")).record).toMatchObject({
        state: "errored",
        task: "fix it",
        last_error: { code: "MARKED_ERRORED", message: "second" },
      });
      await expect(mark("  ")).rejects.toEqual(refused("INVALID_ARGUMENT"));
      await expect(mark("x".repeat(5_000))).rejects.toEqual(refused("INVALID_ARGUMENT"));
      await bed.sessions.remove({ session: "one" });
      const before = await recordOf(bed, "one");
      await expect(mark("late")).rejects.toEqual(refused("INVALID_STATE"));
      expect(await recordOf(bed, "one")).toEqual(before);
    },
  );

  declare("what is noted of a session is set and taken away, and nothing else of it changes", async () => {
    const bed = await bedWith("one");
    const before = await recordOf(bed, "one");
    const noted = {
      issue_id: "17",
      issue_url: "https://example.org/17",
      claimed_pr_number: 4,
      claimed_pr_url: "http://example.org/4",
      task: "größer",
    };
    await bed.sessions.set({ session: "one", ...noted });
    expect(await recordOf(bed, "one")).toMatchObject({
      ...noted,
      state: before.state,
    });
    await bed.sessions.set({
      session: "one",
      issue_id: "",
      issue_url: null,
      claimed_pr_number: null,
      claimed_pr_url: "",
      task: "",
    });
    const { issue_id, issue_url, claimed_pr_number, claimed_pr_url, task, agent_config } = await recordOf(bed, "one");
    expect([issue_id, issue_url, claimed_pr_number, claimed_pr_url, task, agent_config]).toEqual([
      null,
      null,
      null,
      null,
      "",
      before.agent_config,
    ]);
    for (const bad of [{}, { issue_url: "javascript:alert(1)" }, { claimed_pr_url: "no url" }, { task: "x".repeat(70_000) }]) {
      await expect(bed.sessions.set({ session: "one", ...bad })).rejects.toEqual(refused("INVALID_ARGUMENT"));
    }
    await expect(bed.sessions.set({ session: "one", task: "\u0000" })).rejects.toEqual(refused("INVALID_TEXT"));
    await bed.sessions.remove({ session: "one" });
    await expect(bed.sessions.set({ session: before.id, task: "late" })).rejects.toEqual(refused("INVALID_STATE"));
  });

  declare(
    "many creates at once in one directory have a name and a terminal each",
    async () => {
      const bed = await bedWith();
      const created = await Promise.all(Array.from({ length: many }, () => bed.sessions.create({ ...bed.job, cwd: bed.cwd })));
      const records = created.map(({ session }) => session.record);
      expect(new Set(records.map(({ name }) => name)).size).toBe(many);
      expect(new Set(records.map(({ pane }) => `${pane?.socket} ${pane?.pane_id}`)).size).toBe(many);
      expect(records.every(({ state, intent }) => state === "active" && intent === null)).toBe(true);
      const panes = new Map((await panesOf(bed)).map(({ sessionId, identity }) => [sessionId, identity]));
      expect(records.every(({ id, pane }) => panes.get(id)?.socket === pane?.socket && panes.get(id)?.pane_id === pane?.pane_id)).toBe(
        true,
      );
      expect(panes.size).toBe(many);
    },
    240_000,
  );

  declare(
    "a launch that cannot be recorded is rolled back: one kill of exactly that terminal, and a record that says why (trusty 20)",
    async () => {
      const bed = await bedWith("other");
      bed.onStep((step) => {
        if (step === "create.confirmed") bed.store.failNext("update", new Error("EIO: the disk"));
      });
      await expect(bed.sessions.create({ ...bed.job, name: "one", cwd: bed.cwd })).rejects.toThrow("EIO");
      bed.onStep(null);
      expect(await recordOf(bed, "one")).toMatchObject({
        state: "errored",
        intent: null,
        last_error: { message: expect.stringContaining("EIO") },
      });
      expect(await namesIn(bed)).toEqual(["tmpm-other"]);
      expect((await bed.sessions.resume({ session: "one" })).record.state).toBe("active");
    },
  );

  declare("an agent is chosen by id, alias or display name, and an unknown one starts nothing (trusty 22)", async () => {
    const bed = await bedWith();
    for (const agent of ["gpt", "Claude Code"]) {
      await expect(bed.sessions.create({ agent, cwd: bed.cwd })).rejects.toMatchObject({ code: "AGENT_UNKNOWN", message: /gpt|'claude'/ });
    }
    expect(await panesOf(bed)).toEqual([]);
    expect((await recordsOf(bed)).size).toBe(0);
  });
});

describe.each([
  { kind: "the fake", make: fakeBed, every: 1 },
  { kind: "a real tmux", make: () => tmuxBed(), every: ALL_HOSTS ? 1 : 2 },
] as const)("where terminals have names, on $kind", ({ make, every }) => {
  const declare = oneIn(every);
  const bedWith = (...names: readonly string[]) => bedOf<ServerBed>(make, names);

  declare("a name in use by a foreign tmux session is refused, and the session keeps its own", async () => {
    const bed = await bedWith("one");
    await bed.open("tmpm-two");
    await expect(bed.sessions.rename({ session: "one", name: "two" })).rejects.toEqual(refused("NAME_TAKEN"));
    expect(await recordOf(bed, "one")).toMatchObject({ name: "one", tmux_name: "tmpm-one", intent: null });
    expect(await namesIn(bed)).toEqual(["tmpm-one", "tmpm-two"]);
  });

  declare("after a restart of tmux, a stranger under the session's name is left alone, and the answer says so", async () => {
    const bed = await bedWith("one", "two");
    await bed.restartServer();
    await bed.open("tmpm-one");
    await bed.open("tmpm-two");
    const stopped = await bed.sessions.stop({ session: "one" });
    expect(stopped).toMatchObject({
      survivors: [],
      left_alone: expect.stringContaining("tmpm-one"),
      session: { record: { state: "stopped" } },
    });
    expect(await namesIn(bed)).toEqual(expect.arrayContaining(["tmpm-one", "tmpm-two"]));
    expect(await bed.sessions.restart({ session: "two" })).toMatchObject({ left_alone: expect.stringContaining("tmpm-two") });
    expect(await recordOf(bed, "two")).toMatchObject({ state: "active", tmux_name: "tmpm-two-2" });
    const strangers = (await panesOf(bed)).filter(({ tmuxName }) => tmuxName === "tmpm-one" || tmuxName === "tmpm-two");
    expect(strangers.map(({ sessionId, exit }) => [sessionId, exit])).toEqual([
      [null, null],
      [null, null],
    ]);
  });
});
