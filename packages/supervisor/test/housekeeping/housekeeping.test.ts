import { tmpdir } from "node:os";
import { join } from "node:path";
import { TmpmError, timestampFromMs, Workspace } from "@tmpm/core";
import { memoryStore } from "@tmpm/store/memory";
import { workspaces } from "@tmpm/workspace";
import { describe, expect, test } from "vitest";
import { housekeeping } from "../../src/housekeeping/housekeeping.js";
import { DEFAULT_SETTINGS } from "../../src/settings.js";
import { fixture } from "../fixtures/fixture.js";

const MINUTE = 60_000;
const NOTHING = { reaped: [], archived: [], deleted: [] };
const DAY = 24 * 60 * MINUTE;

describe("an ephemeral session", () => {
  async function ephemeral(options: { readonly agent?: string; readonly paused?: boolean } = {}) {
    const l = fixture();
    const { agent = "shell", paused = false } = options;
    const { session } = await l.sessions.create({ agent, cwd: "/w", name: "short", ephemeral: true });
    await l.sessions.create({ agent, cwd: "/w", name: "long" });
    if (paused) await l.sessions.pause({ session: "short" });
    return { ...l, id: session.record.id, state: async () => (await l.sessions.show({ session: session.record.id })).record.state };
  }

  test("is removed a minute after its program ended, and a persistent one is not", async () => {
    const { tmux, sessions, id, state } = await ephemeral();
    for (const name of ["tmpm-short", "tmpm-long"]) tmux.exit(name, 0);
    await sessions.reconcile();
    expect((await sessions.housekeep()).reaped).toEqual([]);
    tmux.advance(MINUTE - 1);
    expect((await sessions.housekeep()).reaped).toEqual([]);
    tmux.advance(1);
    expect((await sessions.housekeep()).reaped).toEqual([id]);
    expect(await state()).toBe("decommissioned");
    expect((await sessions.show({ session: "long" })).record.state).toBe("stopped");
    expect((await sessions.housekeep()).reaped).toEqual([]);
  });

  test.each(["undo", "reactivate", "archive"] as const)("that a user restores stays (%s)", async (how) => {
    const { tmux, sessions, id, state } = await ephemeral();
    tmux.exit("tmpm-short", 0);
    await sessions.reconcile();
    tmux.advance(MINUTE - 1);
    if (how === "archive") await sessions.archive({ session: id });
    tmux.advance(1);
    await sessions.housekeep();
    if (how === "undo") await sessions.undo({ session: id });
    else await sessions.reactivate({ session: id });
    tmux.advance(DAY);
    expect((await sessions.housekeep()).reaped).toEqual([]);
    expect(await state()).toBe("stopped");
  });

  test("is removed after a day in which it was idle, unused and without viewers", async () => {
    const { tmux, sessions, id, state } = await ephemeral();
    tmux.advance(DAY);
    expect((await sessions.housekeep()).reaped).toEqual([]);
    const leave = tmux.attachViewer("tmpm-short");
    await sessions.wait({ session: "short", until: "idle", timeout_ms: 1_000 });
    expect((await sessions.housekeep()).reaped).toEqual([]);
    leave();
    await sessions.wait({ session: "short", until: "idle", timeout_ms: 1_000 });
    expect((await sessions.housekeep()).reaped).toEqual([id]);
    expect(await state()).toBe("decommissioned");
  });

  test.each(["used", "working", "paused"] as const)("that is %s is not removed", async (how) => {
    const { tmux, sessions, state } = await ephemeral({ paused: how === "paused" });
    tmux.advance(DAY - 1_000);
    if (how === "used") await sessions.keys({ session: "short", keys: ["a"] });
    if (how === "working") await sessions.send({ session: "short", text: "sleep 9999" });
    tmux.advance(1_000);
    await sessions.capture({ session: "short" });
    expect((await sessions.housekeep()).reaped).toEqual([]);
    expect(await state()).toBe("active");
  });

  test.each(["send.accepted", "send.pasting"] as const)("whose prompt has come to %s when it is due is not removed", async (reached) => {
    const { tmux, sessions, state, onStep } = await ephemeral();
    tmux.advance(DAY);
    await sessions.wait({ session: "short", until: "idle", timeout_ms: 1_000 });
    let round: ReturnType<typeof sessions.housekeep> | null = null;
    onStep((step) => {
      if (step === reached) round ??= sessions.housekeep();
    });
    expect((await sessions.send({ session: "short", text: "sleep 9999" })).receipt.outcome).toBe("submitted");
    expect(await round).toEqual(NOTHING);
    expect(await state()).toBe("active");
  });

  test("that is paused while its removal waits is not removed", async () => {
    const { tmux, sessions, state } = await ephemeral();
    tmux.advance(DAY);
    await sessions.wait({ session: "short", until: "idle", timeout_ms: 1_000 });
    tmux.failNext("keys", "hang");
    const pressed = sessions.keys({ session: "short", keys: ["a"] }).catch((error: unknown) => error);
    await new Promise(setImmediate);
    const round = sessions.housekeep();
    await new Promise(setImmediate);
    await sessions.pause({ session: "short" });
    tmux.advance(5_001);
    expect(await pressed).toMatchObject({ code: "TMUX_UNRESPONSIVE" });
    expect(await round).toEqual(NOTHING);
    expect(await state()).toBe("active");
  });

  test("with unsaved work in its workspace keeps it, and one whose tmux does not answer stays", async () => {
    const { tmux, store, id, state, sessions } = await ephemeral();
    tmux.advance(DAY);
    tmux.stopServer();
    expect((await sessions.housekeep()).reaped).toEqual([]);
    tmux.continueServer();
    tmux.exit("tmpm-short", 0);
    tmux.advance(DAY);
    store.failNext("update", new TmpmError("WORKSPACE_REFUSED", "there is work in it"));
    expect((await sessions.housekeep()).reaped).toEqual([]);
    expect(await state()).not.toBe("decommissioned");
    expect((await store.get(id))?.kind).toBe("session");
  });
});

async function finished() {
  const l = fixture();
  for (const name of ["done", "stopped"]) await l.sessions.create({ agent: "shell", cwd: "/w", name });
  await l.sessions.stop({ session: "stopped" });
  await l.sessions.remove({ session: "done" });
  const { record } = await l.sessions.show({ session: "done" });
  return { ...l, id: record.id };
}

describe("a finished session", () => {
  test("is archived 30 days after its end and deleted 30 days later; an unfinished one stays", async () => {
    const { tmux, sessions, store, id, events } = await finished();
    tmux.advance(30 * DAY - 1);
    expect(await sessions.housekeep()).toEqual(NOTHING);
    tmux.advance(1);
    expect(await sessions.housekeep()).toEqual({ ...NOTHING, archived: [id] });
    expect((await sessions.list({ archived: true })).sessions.map(({ record }) => record.id)).toEqual([id]);
    tmux.advance(30 * DAY - 1);
    expect(await sessions.housekeep()).toEqual(NOTHING);
    tmux.advance(1);
    expect(await sessions.housekeep()).toEqual({ ...NOTHING, deleted: [id] });
    expect(await store.get(id)).toBeNull();
    tmux.advance(3_650 * DAY);
    expect(await sessions.housekeep()).toEqual(NOTHING);
    expect((await sessions.show({ session: "stopped" })).record.state).toBe("stopped");
    expect(events.filter(({ reason }) => reason === "retention").map(({ type }) => type)).toEqual(["session_archived", "session_deleted"]);
  });

  test("that cannot be archived or deleted does not delay the others", async () => {
    const memory = memoryStore();
    let failing = "";
    const fail = (id: string) => {
      if (id === failing) throw new TmpmError("STORE_DEGRADED", "the disk fails");
    };
    const store = {
      ...memory,
      async archive(id: string) {
        fail(id);
        return memory.archive(id);
      },
      async delete(id: string) {
        fail(id);
        return memory.delete(id);
      },
    };
    const { tmux, sessions, faults } = fixture({ store });
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      ids.push((await sessions.create({ agent: "shell", cwd: "/w", name })).session.record.id);
      await sessions.remove({ session: name });
    }
    const [first = "", ...others] = (await sessions.list({ all: true })).sessions.map(({ record }) => record.id);
    failing = first;
    tmux.advance(30 * DAY);
    expect(await sessions.housekeep()).toEqual({ ...NOTHING, archived: others });
    failing = "";
    expect(await sessions.housekeep()).toEqual({ ...NOTHING, archived: [first] });
    failing = first;
    tmux.advance(30 * DAY);
    expect((await sessions.housekeep()).deleted.toSorted()).toEqual(others.toSorted());
    expect(faults).toHaveLength(2);
    expect(ids).toHaveLength(3);
  });

  test("that was rolled back starts a new period", async () => {
    const { tmux, sessions, id } = await finished();
    tmux.advance(29 * DAY);
    await sessions.reactivate({ session: id });
    await sessions.delete({ session: id });
    tmux.advance(2 * DAY);
    expect(await sessions.housekeep()).toEqual(NOTHING);
  });

  test("with its own workspace stays", async () => {
    const { tmux, store, id, sessions } = await finished();
    const workspace = {
      kind: "worktree" as const,
      path: "/w/tree",
      nonce: "n",
      source: "/r",
      repository: "/r/.git",
      branch: "b",
      branch_made: true,
      base: null,
      base_ref: null,
      folder: "",
      notes: [],
      identity: null,
      trashed: null,
    };
    await store.update(id, (current) => ({ ...current, workspace }));
    tmux.advance(400 * DAY);
    expect(await sessions.housekeep()).toEqual(NOTHING);
  });
});

describe("a round in which something fails", () => {
  test("still removes the other ephemeral sessions, and reports it", async () => {
    const { tmux, sessions, store, faults } = fixture();
    for (const name of ["one", "two"]) await sessions.create({ agent: "shell", cwd: "/w", name, ephemeral: true });
    for (const name of ["tmpm-one", "tmpm-two"]) tmux.exit(name, 0);
    await sessions.reconcile();
    tmux.advance(MINUTE);
    const error = new Error("the record is refused");
    store.failNext("update", error);
    expect((await sessions.housekeep()).reaped).toHaveLength(1);
    expect(faults).toEqual([{ doing: expect.stringContaining("removing ephemeral session"), error }]);
    expect((await sessions.housekeep()).reaped).toHaveLength(1);
  });

  test("still archives finished sessions, and reports it", async () => {
    const { tmux, sessions, store, id, faults } = await finished();
    tmux.advance(30 * DAY);
    const error = new Error("the list is refused");
    store.failNext("list", error);
    expect(await sessions.housekeep()).toEqual({ ...NOTHING, archived: [id] });
    expect(faults).toEqual([{ doing: "removing ephemeral sessions", error }]);
  });
});

test("a round runs once per interval, but not right after a clock change", async () => {
  let now = 0;
  const rounds: number[] = [];
  const clock = { now: () => now, sleep: async () => undefined };
  const due = housekeeping({ clock, settings: { ...DEFAULT_SETTINGS, sessionEnv: {}, homeDir: "/", housekeepingMs: MINUTE } }, async () =>
    rounds.push(now),
  );
  for (const at of [0, MINUTE - 1, MINUTE, MINUTE + 1, 2 * MINUTE, DAY, DAY + 1, DAY + MINUTE, 5, 6, MINUTE + 5]) {
    now = at;
    await due();
  }
  expect(rounds).toEqual([MINUTE, 2 * MINUTE, DAY + MINUTE, MINUTE + 5]);
});

test("only an expired workspace that is missing from the trash is cleared from its session", async () => {
  const until = (ms: number) => timestampFromMs(ms);
  const trash = workspaces({ home: join(tmpdir(), "tmpm-has-no-workspaces") });
  const l = fixture({
    ports: { workspaces: { ...trash, purge: async () => ({ purged: [], failed: [] }), inTrash: async () => ["kept"] } },
  });
  const cases = { gone: 0, kept: 0, young: DAY } as const;
  for (const [name, ms] of Object.entries(cases)) {
    const { session } = await l.sessions.create({ agent: "shell", cwd: "/w", name });
    await l.sessions.remove({ session: name });
    await l.store.update(session.record.id, (record) => ({
      ...record,
      workspace: Workspace.parse({
        ...{ kind: "worktree", path: "/w/tree", nonce: "n", source: "/w", repository: null, branch: "b", branch_made: true, base: null },
        trashed: { id: name, at: until(l.tmux.now()), until: until(l.tmux.now() + ms) },
      }),
    }));
  }
  await l.sessions.housekeep();
  const { sessions } = await l.sessions.list({ all: true });
  expect(sessions.flatMap(({ record }) => (record.workspace === null ? [record.name] : []))).toEqual(["gone"]);
});
