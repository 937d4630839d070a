import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentAdapter } from "@tmpm/agents";
import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { CRASH, composer } from "../fixtures/fixture.js";
import { repositoryFixture } from "../fixtures/repository-fixture.js";
import { sampleOf } from "../fixtures/sampled-hosts.js";

const carrier: AgentAdapter = {
  ...composer,
  id: "carrier",
  limits: { ...composer.limits, promptInArgv: 100 },
  launch: async ({ prompt }) => ({ argv: ["composer-agent"], env: {}, conversationId: null, carriesPrompt: prompt !== null }),
};

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

describe("session with a workspace", { timeout: 240_000 }, () => {
  test("works in a worktree on its own branch, named in its record", async () => {
    using fixture = repositoryFixture();
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true });
    const path = join(fixture.home, "workspaces", "default", `proj-${session.record.id.slice(0, 8)}`);
    expect(session.record).toMatchObject({
      name: "proj",
      state: "active",
      cwd: path,
      workspace_path: path,
      workspace_owned: true,
      project_path: fixture.repository,
      branch: "tmpm/proj",
      correlation: { worktree: path, branch: "tmpm/proj" },
      workspace: { kind: "worktree", path, source: fixture.repository, identity: { git_dir: expect.any(String) }, trashed: null },
      intent: null,
    });
    const types = fixture.types();
    expect(types.slice(0, 2)).toEqual(["session_created", "workspace_progress"]);
    expect(types.find((type, index) => index > 0 && type !== "workspace_progress")).toBe("workspace_created");
  });

  test("records the commit, ref and remote of its base, also in a given directory, and a rename keeps them", async () => {
    using fixture = repositoryFixture();
    const commit = fixture.git(fixture.repository, "rev-parse", "HEAD").trim();
    const fork = { commit, ref: "refs/heads/main", remote: null };
    const own = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "own" });
    const here = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, name: "here" });
    const clone = await fixture.sessions.create({ agent: "shell", cwd: fixture.home, repo: fixture.repository, name: "clone" });
    expect(own.session.record.fork).toEqual(fork);
    expect(here.session.record.fork).toEqual(fork);
    expect(clone.session.record.fork).toMatchObject({ commit, remote: fixture.repository });
    fixture.git(fixture.repository, "commit", "--quiet", "--allow-empty", "-m", "second");
    expect((await fixture.sessions.rename({ session: "here", name: "there" })).session.record.fork).toEqual(fork);
    expect((await fixture.sessions.create({ agent: "shell", cwd: fixture.home, name: "plain" })).session.record.fork).toBeNull();
    await expect(fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, fetch: true })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { field: "fetch" },
    });
  });

  test("works in a clone of a directory on the requested branch, and is named after it", async () => {
    using fixture = repositoryFixture();
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.home, repo: fixture.repository, branch: "topic" });
    expect(session.record).toMatchObject({ name: "proj", branch: "topic", repo_url: fixture.repository, workspace: { kind: "clone" } });
    expect(fixture.git(session.record.cwd, "branch", "--show-current").trim()).toBe("topic");
  });

  test("fails if no workspace can be created, and leaves nothing", async () => {
    using fixture = repositoryFixture();
    const create = (input: object) => fixture.sessions.create({ agent: "shell", cwd: fixture.home, ...input });
    await expect(create({ branch: "b" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(create({ worktree: true, repo: "https://example.com/a.git" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(create({ repo: "ext::sh" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(create({ worktree: true })).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
    await expect(create({ worktree: true, repo: fixture.repository, branch: "main" })).rejects.toMatchObject({ code: "BRANCH_IN_USE" });
    await expect(create({ worktree: true, repo: fixture.repository, agent: "command", argv: ["/none"] })).rejects.toMatchObject({
      code: "AGENT_NOT_INSTALLED",
    });
    expect(await fixture.store.list({ archived: true })).toEqual([]);
    expect(fixture.left()).toEqual([]);
    expect(fixture.branches()).toEqual(["main"]);
  });

  test("leaves neither record, workspace nor branch when its terminal cannot be opened", async () => {
    using fixture = repositoryFixture();
    fixture.tmux.openForeign("tmpm-demo");
    await expect(fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" })).rejects.toMatchObject({
      code: "NAME_TAKEN",
    });
    expect(await fixture.store.list({ archived: true })).toEqual([]);
    expect(fixture.left()).toEqual([]);
    expect(fixture.branches()).toEqual(["main"]);
  });

  test("is created after the response if the caller does not wait, and removed if the launch fails", async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    using fixture = repositoryFixture({}, { ports: { reached: async (step) => (step === "create.planned" ? released : undefined) } });
    fixture.tmux.openForeign("tmpm-demo");
    const asked = { agent: "shell", cwd: fixture.repository, worktree: true, name: "demo", prompt: "true", no_wait: true };
    const { session, turn_id } = await fixture.sessions.create(asked);
    expect(session.record).toMatchObject({ state: "provisioning", workspace_owned: false });
    expect(fixture.left()).toEqual([]);
    release();
    await expect.poll(async () => (await fixture.sessions.show({ session: "demo" })).record.state).toBe("errored");
    expect((await fixture.sessions.show({ session: "demo" })).record).toMatchObject({
      workspace: null,
      last_error: { code: "NAME_TAKEN" },
    });
    expect((await fixture.sessions.turn({ session: "demo", turn: turn_id ?? "" })).turn).toMatchObject({
      state: "ended",
      outcome: "failed",
    });
    expect([fixture.left(), fixture.branches()]).toEqual([[], ["main"]]);
  });

  test("is not created if the prompt cannot be accepted", async () => {
    using fixture = repositoryFixture();
    fixture.sends.failNext("accept", new TmpmError("STORAGE_FULL", "no space", { effect: "none" }));
    const asked = { agent: "composer", cwd: fixture.repository, worktree: true, name: "demo", prompt: "work", no_wait: true };
    await expect(fixture.sessions.create(asked)).rejects.toMatchObject({ code: "STORAGE_FULL" });
    expect(await fixture.store.list({ archived: true })).toEqual([]);
    expect([fixture.left(), fixture.branches(), fixture.faults]).toEqual([[], ["main"], []]);
  });

  test.each([composer, carrier])("that cannot be created leaves the reason in the receipt of the prompt ($id)", async ({ id }) => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const ports = { reached: async (step: string) => (step === "create.planned" ? released : undefined) };
    using fixture = repositoryFixture({}, { adapters: [composer, carrier], ports });
    const place = { cwd: fixture.repository, worktree: true, branch: "topic" };
    const { turn_id } = await fixture.sessions.create({ agent: id, ...place, name: "demo", prompt: "work", no_wait: true });
    const send = turn_id ?? "";
    const look = () => fixture.sessions.receipt({ session: "demo", send });
    expect(await look()).toMatchObject({ entry: { id: send }, receipt: { outcome: "held" } });
    await expect(fixture.sessions.receipt({ session: "demo", send: "another" })).rejects.toMatchObject({ code: "SEND_NOT_FOUND" });
    fixture.git(fixture.repository, "worktree", "add", "--quiet", "-b", "topic", join(fixture.home, "other"));
    release();
    await expect.poll(async () => (await fixture.sessions.show({ session: "demo" })).record.state).toBe("errored");
    const message = (await fixture.sessions.show({ session: "demo" })).record.last_error?.message ?? "";
    expect(message).toContain("topic");
    expect(await look()).toMatchObject({
      entry: { id: send, step: "done" },
      receipt: { id: send, outcome: "refused", reason: "session_ended", evidence: ["the agent was not launched", message] },
    });
    const { turn } = await fixture.sessions.turn({ session: "demo", turn: send });
    expect([turn.state, turn.outcome, turn.reason, turn.receipt?.outcome]).toEqual(["ended", "failed", "session_exited", "refused"]);
  });

  test("has a receipt for a prompt that is passed at launch", async () => {
    using fixture = repositoryFixture({}, { adapters: [carrier] });
    const place = { cwd: fixture.repository, worktree: true };
    const { turn_id } = await fixture.sessions.create({ agent: "carrier", ...place, name: "demo", prompt: "work", no_wait: true });
    const look = () => fixture.sessions.receipt({ session: "demo", send: (turn_id ?? "").slice(0, 8) });
    expect(await look()).toMatchObject({ entry: { id: turn_id, step: "accepted" }, receipt: { outcome: "held" } });
    await expect.poll(async () => (await look()).entry.step, { timeout: 60_000 }).toBe("done");
    expect((await fixture.sessions.turns({ session: "demo" })).map(({ turn }) => turn.id)).toEqual([turn_id]);
  });

  test("gets its own branch also when two are created at once", async () => {
    using fixture = repositoryFixture();
    const made = await Promise.all([1, 2].map(() => fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true })));
    expect(new Set(made.map(({ session }) => session.record.branch)).size).toBe(2);
    expect(new Set(made.map(({ session }) => session.record.cwd)).size).toBe(2);
  });
});

describe("removal", { timeout: 240_000 }, () => {
  test("moves the workspace to the trash, and undo restores both, stopped, under a free name", async () => {
    using fixture = repositoryFixture();
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" });
    const { path } = session.record.workspace ?? { path: "" };
    const removed = await fixture.sessions.remove({ session: "demo" });
    expect(removed).toMatchObject({
      session: { record: { state: "decommissioned", workspace_path: null, workspace: { path, trashed: { id: expect.any(String) } } } },
      workspace: { outcome: "trashed", path, branch: { name: "tmpm/demo", outcome: "deleted" } },
    });
    expect(existsSync(path)).toBe(false);
    expect(fixture.branches()).toEqual(["main"]);
    await fixture.sessions.create({ agent: "shell", cwd: fixture.home, name: "demo" });
    const undone = await fixture.sessions.undo({});
    expect(undone).toMatchObject({
      session: { record: { id: session.record.id, name: "demo-2", state: "stopped", workspace_path: path, workspace: { trashed: null } } },
      notes: [expect.stringContaining("demo-2")],
    });
    expect(fixture.git(path, "branch", "--show-current").trim()).toBe("tmpm/demo");
    expect((await fixture.sessions.resume({ session: "demo-2" })).record).toMatchObject({ state: "active", cwd: path });
    expect(fixture.types()).toEqual(expect.arrayContaining(["workspace_removed", "session_removed", "session_undone"]));
  });

  test("is rejected while there is unsaved work; the session is stopped, and --discard can be undone", async () => {
    using fixture = repositoryFixture();
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" });
    const file = join(session.record.cwd, "new.txt");
    writeFileSync(file, "work");
    await expect(fixture.sessions.remove({ session: "demo" })).rejects.toMatchObject({
      code: "WORKSPACE_REFUSED",
      details: { reasons: [{ kind: "work", code: "untracked", items: ["new.txt"] }] },
    });
    expect((await fixture.sessions.show({ session: "demo" })).record).toMatchObject({
      state: "stopped",
      intent: null,
      workspace_owned: true,
    });
    expect(existsSync(file)).toBe(true);
    await fixture.sessions.remove({ session: "demo", discard: true });
    expect(existsSync(file)).toBe(false);
    await fixture.sessions.undo({ session: "demo" });
    expect(existsSync(file)).toBe(true);
  });

  test("keeps the workspace on request, as a directory of the user", async () => {
    using fixture = repositoryFixture();
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" });
    const removed = await fixture.sessions.remove({ session: "demo", keep_workspace: true });
    expect(removed).toMatchObject({ workspace: { outcome: "kept", path: session.record.cwd }, session: { record: { workspace: null } } });
    expect(existsSync(session.record.cwd)).toBe(true);
    expect((await fixture.sessions.undo({})).session.record).toMatchObject({ state: "stopped", workspace: null, cwd: session.record.cwd });
  });

  test("is refused while another session works in the workspace, and reports a directory that is already gone", async () => {
    using fixture = repositoryFixture();
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" });
    await fixture.sessions.create({ agent: "shell", cwd: session.record.cwd, name: "guest" });
    await expect(fixture.sessions.remove({ session: "demo", discard: true })).rejects.toMatchObject({
      code: "WORKSPACE_REFUSED",
      details: { reasons: [{ code: "session", items: ["guest"] }] },
    });
    await fixture.sessions.remove({ session: "guest" });
    rmSync(session.record.cwd, { recursive: true });
    expect(await fixture.sessions.remove({ session: "demo" })).toMatchObject({ workspace: { outcome: "missing" } });
  });

  test("never touches a given directory", async () => {
    using fixture = repositoryFixture();
    await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, name: "demo" });
    expect((await fixture.sessions.remove({ session: "demo" })).workspace).toBeNull();
    expect(existsSync(join(fixture.repository, ".git"))).toBe(true);
    expect((await fixture.sessions.undo({})).session.record.state).toBe("stopped");
    await expect(fixture.sessions.undo({})).rejects.toMatchObject({ code: "NOTHING_TO_UNDO" });
    await expect(fixture.sessions.undo({ session: "demo" })).rejects.toMatchObject({ code: "INVALID_STATE" });
    await expect(fixture.sessions.undo({ session: "nobody" })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  });
});

describe("crash", { timeout: 240_000 }, () => {
  test.each(sampleOf(["create.planned", "create.provisioned"] as const))(
    "at %s leaves a session that states the reason, and no workspace",
    async (step) => {
      using fixture = repositoryFixture();
      fixture.crashAt(step);
      await expect(fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" })).rejects.toBe(CRASH);
      fixture.crashAt(null);
      const again = fixture.restarted();
      await again.reconcile();
      const { record } = await again.show({ session: "demo" });
      expect(record).toMatchObject({ state: "errored", intent: null, workspace: null, last_error: { code: "LAUNCH_FAILED" } });
      await expect(again.resume({ session: "demo" })).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
      expect(fixture.left()).toEqual([]);
      expect(fixture.branches()).toEqual(["main"]);
      await again.remove({ session: "demo" });
    },
  );

  test("before the launch leaves a session that can be resumed in its workspace", async () => {
    using fixture = repositoryFixture();
    fixture.crashAt("create.intended");
    await expect(fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" })).rejects.toBe(CRASH);
    fixture.crashAt(null);
    const again = fixture.restarted();
    await again.reconcile();
    const { record } = await again.resume({ session: "demo" });
    expect(record).toMatchObject({ state: "active", workspace_owned: true });
    expect(existsSync(record.cwd)).toBe(true);
  });

  test.each(sampleOf(["remove.intended", "remove.trashed"] as const))("at %s is finished or rolled back", async (step) => {
    using fixture = repositoryFixture();
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" });
    fixture.crashAt(step);
    await expect(fixture.sessions.remove({ session: "demo" })).rejects.toBe(CRASH);
    fixture.crashAt(null);
    const again = fixture.restarted();
    await again.reconcile();
    const { record } = await again.show({ session: session.record.id });
    const gone = step === "remove.trashed";
    expect(record).toMatchObject({ state: gone ? "decommissioned" : "stopped", intent: null, workspace_owned: !gone });
    expect(existsSync(session.record.cwd)).toBe(!gone);
  });

  test("at remove.trashed is finished by a repeated removal, and can be undone", async () => {
    using fixture = repositoryFixture();
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" });
    fixture.crashAt("remove.trashed");
    await expect(fixture.sessions.remove({ session: "demo" })).rejects.toBe(CRASH);
    fixture.crashAt(null);
    const again = fixture.restarted();
    expect(await again.remove({ session: "demo" })).toMatchObject({
      session: { record: { state: "decommissioned", intent: null } },
      workspace: { outcome: "trashed", path: session.record.cwd },
    });
    await again.undo({});
    expect(existsSync(session.record.cwd)).toBe(true);
  });

  test.each(sampleOf(["undo.intended", "undo.restored", "undo.unarchived"] as const))("at %s is finished", async (step) => {
    using fixture = repositoryFixture();
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" });
    await fixture.sessions.remove({ session: "demo" });
    fixture.crashAt(step);
    await expect(fixture.sessions.undo({})).rejects.toBe(CRASH);
    fixture.crashAt(null);
    const again = fixture.restarted();
    await again.reconcile();
    expect((await again.show({ session: "demo" })).record).toMatchObject({
      state: "stopped",
      intent: null,
      workspace_path: session.record.cwd,
    });
    expect(existsSync(session.record.cwd)).toBe(true);
    expect(fixture.branches()).toEqual(["main", "tmpm/demo"]);
  });
});

describe("trash", { timeout: 240_000 }, () => {
  test("is emptied after a week in the background, and the session has no workspace any more", async () => {
    using fixture = repositoryFixture();
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" });
    await fixture.sessions.remove({ session: "demo" });
    fixture.setNow(WEEK_MS);
    await fixture.sessions.housekeep();
    const { record } = await fixture.sessions.show({ session: session.record.id });
    expect(record).toMatchObject({ state: "decommissioned", workspace: null });
    expect(readdirSync(join(fixture.home, "trash"))).toEqual([]);
    expect((await fixture.sessions.undo({})).session.record).toMatchObject({ state: "stopped", workspace_path: null });
  });

  test("is emptied of the other workspaces when one cannot be deleted, and the rest of the round follows", async () => {
    using fixture = repositoryFixture();
    const other = join(fixture.home, "other");
    cpSync(fixture.repository, other, { recursive: true });
    for (const [name, cwd] of Object.entries({ broken: fixture.repository, sound: other })) {
      await fixture.sessions.create({ agent: "shell", cwd, worktree: true, name });
      await fixture.sessions.remove({ session: name });
    }
    rmSync(join(fixture.repository, ".git"), { recursive: true });
    mkdirSync(join(fixture.repository, ".git"));
    fixture.setNow(WEEK_MS);
    fixture.tmux.advance(30 * 24 * 60 * 60 * 1000);
    const { archived } = await fixture.sessions.housekeep();
    const sound = (await fixture.sessions.list({ archived: true })).sessions.map(({ record }) => record);
    expect(sound).toMatchObject([{ name: "sound", workspace: null }]);
    expect(archived).toEqual(sound.map(({ id }) => id));
    expect((await fixture.sessions.show({ session: "broken" })).record.workspace?.trashed).not.toBeNull();
    expect(fixture.faults).toMatchObject([{ doing: expect.stringContaining("from the trash"), error: { code: "GIT_FAILED" } }]);
  });
});
