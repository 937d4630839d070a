import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { workshop } from "./workshop.js";

describe("a session that is asked for in a folder of a repository", { timeout: 240_000 }, () => {
  test("works in the same folder of its workspace, and is told what that does not have", async () => {
    using shop = workshop({ "packages/api/index.ts": "x" });
    const folder = join(shop.repository, "packages/api");
    writeFileSync(join(folder, "new.ts"), "new");
    const { session, notes } = await shop.sessions.create({ agent: "shell", cwd: folder, worktree: true, base: "main" });
    const { workspace, workspace_path, cwd } = session.record;
    expect(cwd).toBe(join(workspace_path ?? "", "packages/api"));
    expect(workspace).toMatchObject({ base: shop.git(shop.repository, "rev-parse", "main").trim(), base_ref: "refs/heads/main" });
    expect(notes).toEqual([expect.stringContaining("1 untracked")]);
    const { pane } = session.record;
    expect(await shop.tmux.driver.directories(pane === null ? [] : [pane])).toEqual([cwd]);
  });

  test("has no base without a workspace", async () => {
    using shop = workshop();
    await expect(shop.sessions.create({ agent: "shell", cwd: shop.repository, base: "main" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { field: "base" },
    });
  });
});

describe("a session whose directory is gone", { timeout: 240_000 }, () => {
  test("says so in every answer, and its workspace is made again on demand", async () => {
    using shop = workshop();
    const { session } = await shop.sessions.create({ agent: "shell", cwd: shop.repository, worktree: true, name: "demo" });
    await shop.sessions.stop({ session: "demo" });
    expect(await shop.sessions.show({ session: "demo" })).toMatchObject({ directoryGone: false, hint: null });
    rmSync(session.record.cwd, { recursive: true });
    shop.tmux.advance(5_000);
    const gone = { directoryGone: true, hint: expect.stringContaining("tmpm resume demo --recreate") };
    expect((await shop.sessions.list({})).sessions).toMatchObject([gone]);
    expect(await shop.sessions.show({ session: "demo" })).toMatchObject(gone);
    await expect(shop.sessions.resume({ session: "demo" })).rejects.toMatchObject({
      code: "DIRECTORY_NOT_FOUND",
      effect: "none",
      hint: expect.stringContaining("tmpm resume demo --recreate"),
    });
    const { record, directoryGone } = await shop.sessions.resume({ session: "demo", recreate: true });
    expect(directoryGone).toBe(false);
    expect(record).toMatchObject({ state: "active", cwd: session.record.cwd, branch: "tmpm/demo", workspace_owned: true });
    expect(existsSync(join(record.cwd, ".git"))).toBe(true);
    await shop.sessions.stop({ session: "demo" });
    expect(await shop.sessions.remove({ session: "demo" })).toMatchObject({
      workspace: { outcome: "trashed", branch: { outcome: "deleted" } },
    });
  });

  test("is told how to name its new place where tmpm did not make it", async () => {
    using shop = workshop();
    const before = join(shop.home, "app");
    mkdirSync(before);
    await shop.sessions.create({ agent: "shell", cwd: before, name: "demo" });
    await shop.sessions.stop({ session: "demo" });
    renameSync(before, join(shop.home, "app2"));
    const hint = expect.stringContaining("tmpm set demo --cwd");
    await expect(shop.sessions.resume({ session: "demo" })).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND", hint });
    await expect(shop.sessions.resume({ session: "demo", recreate: true })).rejects.toMatchObject({ code: "INVALID_ARGUMENT", hint });
    await expect(shop.sessions.set({ session: "demo", cwd: before })).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
    await expect(shop.sessions.set({ session: "demo", cwd: "app2" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await shop.sessions.set({ session: "demo", cwd: join(shop.home, "app2") });
    expect((await shop.sessions.resume({ session: "demo" })).record).toMatchObject({ state: "active", cwd: join(shop.home, "app2") });
  });

  test("is refused with the reason where its name is not UTF-8", async () => {
    using shop = workshop();
    await expect(shop.sessions.create({ agent: "shell", cwd: join(shop.home, "caf\uFFFD") })).rejects.toMatchObject({
      code: "DIRECTORY_NOT_FOUND",
      message: expect.stringContaining("its name is not UTF-8"),
    });
  });
});

describe("a session whose repository was moved", { timeout: 240_000 }, () => {
  test("is not resumed cut off from it, and continues once it is told where it is", async () => {
    using shop = workshop({ "below/file": "x" });
    const { session } = await shop.sessions.create({ agent: "shell", cwd: shop.repository, worktree: true, name: "demo" });
    await shop.sessions.stop({ session: "demo" });
    const moved = join(shop.home, "moved");
    renameSync(shop.repository, moved);
    await expect(shop.sessions.resume({ session: "demo" })).rejects.toMatchObject({
      code: "REPOSITORY_NOT_FOUND",
      hint: expect.stringContaining("tmpm set demo --cwd"),
    });
    const { record } = await shop.sessions.set({ session: "demo", cwd: moved });
    expect(record).toMatchObject({
      cwd: session.record.cwd,
      project_path: moved,
      workspace: { source: moved, repository: join(moved, ".git") },
    });
    expect((await shop.sessions.resume({ session: "demo" })).record.state).toBe("active");
    expect(shop.git(session.record.cwd, "branch", "--show-current").trim()).toBe("tmpm/demo");
  });

  test("may be sent to another folder of its workspace, and to none outside", async () => {
    using shop = workshop({ "below/file": "x" });
    const { session } = await shop.sessions.create({ agent: "shell", cwd: shop.repository, worktree: true, name: "demo" });
    const below = join(session.record.cwd, "below");
    expect((await shop.sessions.set({ session: "demo", cwd: below })).record.cwd).toBe(below);
    await expect(shop.sessions.set({ session: "demo", cwd: shop.home })).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
  });
});
