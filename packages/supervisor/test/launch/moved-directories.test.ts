import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryFixture } from "../fixtures/repository-fixture.js";

describe("session requested in a subfolder of a repository", { timeout: 240_000 }, () => {
  test("works in the same folder of its workspace, and reports missing files", async () => {
    using fixture = repositoryFixture({ "packages/api/index.ts": "x" });
    const folder = join(fixture.repository, "packages/api");
    writeFileSync(join(folder, "new.ts"), "new");
    const { session, notes } = await fixture.sessions.create({ agent: "shell", cwd: folder, worktree: true, base: "main" });
    const { workspace, workspace_path, cwd } = session.record;
    expect(cwd).toBe(join(workspace_path ?? "", "packages/api"));
    expect(workspace).toMatchObject({ base: fixture.git(fixture.repository, "rev-parse", "main").trim(), base_ref: "refs/heads/main" });
    expect(notes).toEqual([expect.stringContaining("1 untracked")]);
    const { pane } = session.record;
    expect(await fixture.tmux.driver.directories(pane === null ? [] : [pane])).toEqual([cwd]);
  });

  test("has no base without a workspace", async () => {
    using fixture = repositoryFixture();
    await expect(fixture.sessions.create({ agent: "shell", cwd: fixture.repository, base: "main" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { field: "base" },
    });
  });
});

describe("session with a missing directory", { timeout: 240_000 }, () => {
  test("is reported in every answer, and its workspace is recreated on request", async () => {
    using fixture = repositoryFixture();
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" });
    await fixture.sessions.stop({ session: "demo" });
    expect(await fixture.sessions.show({ session: "demo" })).toMatchObject({ directoryGone: false, hint: null });
    rmSync(session.record.cwd, { recursive: true });
    fixture.tmux.advance(5_000);
    const gone = { directoryGone: true, hint: expect.stringContaining("tmpm resume demo --recreate") };
    expect((await fixture.sessions.list({})).sessions).toMatchObject([gone]);
    expect(await fixture.sessions.show({ session: "demo" })).toMatchObject(gone);
    await expect(fixture.sessions.resume({ session: "demo" })).rejects.toMatchObject({
      code: "DIRECTORY_NOT_FOUND",
      effect: "none",
      hint: expect.stringContaining("tmpm resume demo --recreate"),
    });
    const { record, directoryGone } = await fixture.sessions.resume({ session: "demo", recreate: true });
    expect(directoryGone).toBe(false);
    expect(record).toMatchObject({ state: "active", cwd: session.record.cwd, branch: "tmpm/demo", workspace_owned: true });
    expect(existsSync(join(record.cwd, ".git"))).toBe(true);
    await fixture.sessions.stop({ session: "demo" });
    expect(await fixture.sessions.remove({ session: "demo" })).toMatchObject({
      workspace: { outcome: "trashed", branch: { outcome: "deleted" } },
    });
  });

  test("without a workspace of ours reports how to set its new location", async () => {
    using fixture = repositoryFixture();
    const before = join(fixture.home, "app");
    mkdirSync(before);
    await fixture.sessions.create({ agent: "shell", cwd: before, name: "demo" });
    await fixture.sessions.stop({ session: "demo" });
    renameSync(before, join(fixture.home, "app2"));
    const hint = expect.stringContaining("tmpm set demo --cwd");
    await expect(fixture.sessions.resume({ session: "demo" })).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND", hint });
    await expect(fixture.sessions.resume({ session: "demo", recreate: true })).rejects.toMatchObject({ code: "INVALID_ARGUMENT", hint });
    await expect(fixture.sessions.set({ session: "demo", cwd: before })).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
    await expect(fixture.sessions.set({ session: "demo", cwd: "app2" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await fixture.sessions.set({ session: "demo", cwd: join(fixture.home, "app2") });
    expect((await fixture.sessions.resume({ session: "demo" })).record).toMatchObject({ state: "active", cwd: join(fixture.home, "app2") });
  });

  test("with a non-UTF-8 name is rejected with the reason", async () => {
    using fixture = repositoryFixture();
    await expect(fixture.sessions.create({ agent: "shell", cwd: join(fixture.home, "caf\uFFFD") })).rejects.toMatchObject({
      code: "DIRECTORY_NOT_FOUND",
      message: expect.stringContaining("its name is not UTF-8"),
    });
  });
});

describe("session of a moved repository", { timeout: 240_000 }, () => {
  test("is not resumed while it is missing, and continues once its new location is set", async () => {
    using fixture = repositoryFixture({ "below/file": "x" });
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" });
    await fixture.sessions.stop({ session: "demo" });
    const moved = join(fixture.home, "moved");
    renameSync(fixture.repository, moved);
    await expect(fixture.sessions.resume({ session: "demo" })).rejects.toMatchObject({
      code: "REPOSITORY_NOT_FOUND",
      hint: expect.stringContaining("tmpm set demo --cwd"),
    });
    const { record } = await fixture.sessions.set({ session: "demo", cwd: moved });
    expect(record).toMatchObject({
      cwd: session.record.cwd,
      project_path: moved,
      workspace: { source: moved, repository: join(moved, ".git") },
    });
    expect((await fixture.sessions.resume({ session: "demo" })).record.state).toBe("active");
    expect(fixture.git(session.record.cwd, "branch", "--show-current").trim()).toBe("tmpm/demo");
  });

  test("moves only to another folder of its workspace", async () => {
    using fixture = repositoryFixture({ "below/file": "x" });
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "demo" });
    const below = join(session.record.cwd, "below");
    expect((await fixture.sessions.set({ session: "demo", cwd: below })).record.cwd).toBe(below);
    await expect(fixture.sessions.set({ session: "demo", cwd: fixture.home })).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
  });
});
