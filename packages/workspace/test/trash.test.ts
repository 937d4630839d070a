import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Workspace } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import type { WorkspaceStep } from "../src/index.js";
import { sample } from "./sample.js";
import { DAY_MS, openMade, SESSION, treeHash, type WorkspaceFixture, write } from "./workspace-fixture.js";

const commit = (fixture: WorkspaceFixture, path: string) => {
  write(join(path, "new.txt"), "work");
  fixture.git(path, "add", ".");
  fixture.git(path, "commit", "--quiet", "-m", "work");
};
const branches = (fixture: WorkspaceFixture) =>
  fixture.source.git("for-each-ref", "--format=%(refname:short)", "refs/heads").trim().split("\n");

describe("removed workspace", { timeout: 240_000 }, () => {
  test("is in the trash for a week, frees its branch, and is restored as it was", async () => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    commit(fixture, workspace.path);
    const removed = await fixture.remove(workspace);
    expect(removed).toMatchObject({
      kind: "trashed",
      at: fixture.now,
      until: fixture.now + 7 * DAY_MS,
      branch: { kind: "kept", name: "tmpm/demo", why: "it has commits that exist nowhere else" },
      ignored: 0,
    });
    expect(readFileSync(join(fixture.home, "trash", "trash-1", "tree", "new.txt"), "utf8")).toBe("work");
    fixture.source.git("checkout", "--quiet", "tmpm/demo");
    fixture.source.git("checkout", "--quiet", "main");
    expect((await fixture.restore(workspace)).notes).toEqual([]);
    expect(fixture.git(workspace.path, "branch", "--show-current").trim()).toBe("tmpm/demo");
    expect(await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
  });

  test("with a relative link to its repository is recognised as ours, and is restored as it was", async () => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    const link = join(workspace.path, ".git");
    const gitDir = workspace.identity?.git_dir ?? "";
    const relink = (target: string) => writeFileSync(link, `gitdir: ${target}\n`);
    relink(relative(workspace.path, gitDir));
    expect(await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
    await fixture.remove(workspace);
    const tree = join(fixture.home, "trash", "trash-1", "tree");
    expect(fixture.git(tree, "rev-parse", "--absolute-git-dir").trim()).toBe(gitDir);
    await fixture.restore(workspace);
    expect(fixture.git(workspace.path, "branch", "--show-current").trim()).toBe("tmpm/demo");
    relink(relative(workspace.path, join(fixture.source.path, ".git", "worktrees", "another")));
    expect(await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "foreign" });
  });

  test("includes a branch that tmpm created and another branch contains, and restores it", async () => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    commit(fixture, workspace.path);
    fixture.source.git("merge", "--quiet", "tmpm/demo");
    const tip = fixture.source.git("rev-parse", "tmpm/demo");
    expect(await fixture.remove(workspace)).toMatchObject({ branch: { kind: "deleted", name: "tmpm/demo", commit: tip.trim() } });
    expect(branches(fixture)).toEqual(["main"]);
    await fixture.restore(workspace);
    expect(fixture.source.git("rev-parse", "tmpm/demo")).toBe(tip);
    expect(fixture.git(workspace.path, "branch", "--show-current").trim()).toBe("tmpm/demo");
  });

  test("leaves an existing branch, merged or not", async () => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    expect(await fixture.remove({ ...workspace, branch_made: false })).toMatchObject({
      branch: { kind: "kept", why: "it existed before" },
    });
    expect(branches(fixture)).toEqual(["main", "tmpm/demo"]);
  });

  test("is restored without its branch if that has moved or is checked out elsewhere, with a note", async () => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    commit(fixture, workspace.path);
    await fixture.remove(workspace);
    fixture.source.git("checkout", "--quiet", "tmpm/demo");
    expect((await fixture.restore(workspace)).notes).toEqual([expect.stringContaining("is checked out in")]);
    expect(fixture.git(workspace.path, "branch", "--show-current")).toBe("");
    await fixture.remove(workspace, { trashId: "trash-2" });
    fixture.source.git("commit", "--quiet", "--allow-empty", "-m", "more");
    expect((await fixture.restore(workspace, "trash-2")).notes).toEqual([]);
    expect(fixture.git(workspace.path, "log", "-1", "--format=%s")).toBe("work\n");
  });

  test("is restored neither over an existing path nor twice", async () => {
    const { fixture: opened, workspace } = await openMade("clone");
    using fixture = opened;
    await fixture.remove(workspace);
    write(join(workspace.path, "mine"), "mine");
    await expect(fixture.restore(workspace)).rejects.toMatchObject({ code: "TARGET_EXISTS" });
    expect(readFileSync(join(workspace.path, "mine"), "utf8")).toBe("mine");
    rmSync(workspace.path, { recursive: true });
    await fixture.restore(workspace);
    // The crash was after all steps.
    expect(await fixture.restore(workspace)).toMatchObject({ workspace: { path: workspace.path }, notes: [] });
    expect(await fixture.remove(workspace, { trashId: "trash-2" })).toMatchObject({ kind: "trashed" });
    await expect(fixture.restore(workspace)).rejects.toMatchObject({ code: "WORKSPACE_GONE" });
  });

  test("is deleted when it expires, also after it could not be restored over an existing path", async () => {
    const { fixture: opened, workspace } = await openMade("clone");
    using fixture = opened;
    await fixture.remove(workspace);
    write(join(workspace.path, "mine"), "mine");
    await expect(fixture.restore(workspace)).rejects.toMatchObject({ code: "TARGET_EXISTS" });
    fixture.now += 7 * DAY_MS;
    expect(await fixture.spaces.purge()).toEqual({ purged: ["trash-1"], failed: [] });
    expect(readFileSync(join(workspace.path, "mine"), "utf8")).toBe("mine");
  });

  test("is deleted with the snapshots of its session's turns when it expires", async () => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    const tree = await fixture.spaces.snapshot(workspace.path);
    await fixture.spaces.keepTurnTree({ directory: workspace.path, sessionId: SESSION, generation: 1, edge: "start", tree });
    await fixture.remove(workspace);
    const refs = () => fixture.source.git("for-each-ref", "--format=%(refname)", "refs/tmpm").trim();
    expect(refs()).toBe(`refs/tmpm/turns/${SESSION}.000000001`);
    fixture.now += 7 * DAY_MS;
    expect(await fixture.spaces.purge()).toEqual({ purged: ["trash-1"], failed: [] });
    expect(refs()).toBe("");
  });

  test("that was already deleted is reported as missing, and nothing changes", async () => {
    const { fixture: opened, workspace } = await openMade("clone");
    using fixture = opened;
    rmSync(workspace.path, { recursive: true });
    const before = treeHash(fixture.below);
    expect(await fixture.remove(workspace)).toEqual({ kind: "missing" });
    expect(treeHash(fixture.below)).toBe(before);
  });

  test("of a never launched session is rolled back with its branch, unless it was used", async () => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    write(join(workspace.path, "new.txt"), "work");
    await expect(fixture.spaces.takeBack(workspace, { sessionId: SESSION })).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
    rmSync(join(workspace.path, "new.txt"));
    await fixture.spaces.takeBack(workspace, { sessionId: SESSION });
    expect(branches(fixture)).toEqual(["main"]);
    expect(readdirSync(join(fixture.home, "workspaces", "default"))).toEqual([]);
    expect(readdirSync(join(fixture.home, "trash"))).toEqual([]);
  });
});

describe("trash", { timeout: 240_000 }, () => {
  test("is emptied of expired entries only, including read-only folders", async () => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    commit(fixture, workspace.path);
    write(join(fixture.below, "victim", "work"), "work");
    write(join(workspace.path, "ignored", "closed", "file"), "x");
    symlinkSync(join(fixture.below, "victim"), join(workspace.path, "ignored", "link"));
    chmodSync(join(workspace.path, "ignored", "closed"), 0o500);
    await fixture.remove(workspace);
    write(join(fixture.home, "trash", "mine", "file"), "mine");
    symlinkSync(join(fixture.below, "victim"), join(fixture.home, "trash", "link"));
    fixture.now += 7 * DAY_MS - 1;
    expect(await fixture.spaces.purge()).toEqual({ purged: [], failed: [] });
    fixture.now += 1;
    expect(await fixture.spaces.purge()).toEqual({ purged: ["trash-1"], failed: [] });
    expect(readdirSync(join(fixture.home, "trash")).sort()).toEqual(["link", "mine"]);
    expect(readFileSync(join(fixture.below, "victim", "work"), "utf8")).toBe("work");
    expect(fixture.source.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
    expect(branches(fixture)).toContain("tmpm/demo");
    await expect(fixture.restore(workspace)).rejects.toMatchObject({ code: "WORKSPACE_GONE" });
  });

  test("is emptied of the other entries when one cannot be deleted, which is tried again", async () => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    await fixture.remove(workspace, { trashId: "trash-2" });
    for (const trashId of ["trash-1", "trash-3"]) await fixture.remove(await fixture.make("clone", { name: trashId }), { trashId });
    const repository = join(fixture.source.path, ".git");
    renameSync(repository, join(fixture.below, "away"));
    mkdirSync(repository);
    fixture.now += 7 * DAY_MS;
    const { purged, failed } = await fixture.spaces.purge();
    expect([...purged].sort()).toEqual(["trash-1", "trash-3"]);
    expect(failed).toEqual([{ id: "trash-2", error: expect.objectContaining({ code: "GIT_FAILED" }) }]);
    rmSync(repository, { recursive: true });
    renameSync(join(fixture.below, "away"), repository);
    expect(await fixture.spaces.purge()).toEqual({ purged: ["trash-2"], failed: [] });
  });

  test("keeps an entry with a mounted file system, and continues after a crash", async () => {
    const { fixture: opened, workspace } = await openMade("clone");
    using fixture = opened;
    await fixture.remove(workspace);
    fixture.now += 8 * DAY_MS;
    fixture.mounts.push(join(fixture.home, "trash", "trash-1", "tree", "data"));
    expect(await fixture.spaces.purge()).toEqual({ purged: [], failed: [] });
    expect(existsSync(join(fixture.home, "trash", "trash-1", "tree", "file.txt"))).toBe(true);
    fixture.mounts.length = 0;
    await fixture.killedAt("workspace.emptied", (spaces) => spaces.purge());
    await expect(fixture.restore(workspace)).rejects.toMatchObject({ code: "WORKSPACE_GONE" });
    expect(await fixture.spaces.purge()).toEqual({ purged: ["trash-1"], failed: [] });
  });
});

describe("interrupted removal", { timeout: 240_000 }, () => {
  const before: readonly WorkspaceStep[] = ["workspace.listed", "workspace.detached"];
  const after: readonly WorkspaceStep[] = ["workspace.moved", "workspace.registered", "workspace.trashed"];
  const remove = (workspace: Workspace) => ({ workspace, options: { sessionId: SESSION, others: [], trashId: "trash-1", discard: true } });

  test.each(sample(before, 2))("at %s is rolled back, and the workspace is as before", async (step) => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    write(join(workspace.path, "new.txt"), "work");
    const { options } = remove(workspace);
    await fixture.killedAt(step, (spaces) => spaces.remove(workspace, options));
    expect(await fixture.spaces.finishRemoval("trash-1")).toBeNull();
    expect(await fixture.spaces.finishRemoval("trash-1")).toBeNull();
    expect(fixture.git(workspace.path, "status", "--porcelain", "--branch")).toBe("## tmpm/demo\n?? new.txt\n");
    expect(await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ reasons: [{ code: "untracked" }] });
    expect(readdirSync(join(fixture.home, "trash"))).toEqual([]);
  });

  test.each(sample(after, 3))("at %s is finished, and can be undone", async (step) => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    write(join(workspace.path, "new.txt"), "work");
    const { options } = remove(workspace);
    await fixture.killedAt(step, (spaces) => spaces.remove(workspace, options));
    // A repository treats a moved work tree as gone.
    fixture.source.git("worktree", "prune");
    expect(await fixture.spaces.finishRemoval("trash-1")).toMatchObject({ kind: "trashed", id: "trash-1" });
    expect(existsSync(workspace.path)).toBe(false);
    await fixture.restore(workspace);
    expect(fixture.git(workspace.path, "status", "--porcelain", "--branch")).toBe("## tmpm/demo\n?? new.txt\n");
  });

  test("is finished after a reboot that renumbered the devices, and loses no work", async () => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    write(join(workspace.path, "new.txt"), "work");
    const { options } = remove(workspace);
    await fixture.killedAt("workspace.moved", (spaces) => spaces.remove(workspace, options));
    const entry = join(fixture.home, "trash", "trash-1");
    const manifest = JSON.parse(readFileSync(join(entry, "manifest.json"), "utf8"));
    manifest.workspace.identity.device = "1";
    writeFileSync(join(entry, "manifest.json"), JSON.stringify(manifest));
    expect(await fixture.spaces.finishRemoval("trash-1")).toMatchObject({ kind: "trashed", id: "trash-1" });
    expect(readFileSync(join(entry, "tree", "new.txt"), "utf8")).toBe("work");
  });

  test("keeps a directory in the trash that is not the workspace", async () => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    const { options } = remove(workspace);
    await fixture.killedAt("workspace.listed", (spaces) => spaces.remove(workspace, options));
    const tree = join(fixture.home, "trash", "trash-1", "tree");
    mkdirSync(tree);
    write(join(tree, "foreign.txt"), "work");
    expect(await fixture.spaces.finishRemoval("trash-1")).toBeNull();
    expect(readFileSync(join(tree, "foreign.txt"), "utf8")).toBe("work");
    expect(fixture.git(workspace.path, "status", "--porcelain", "--branch")).toBe("## tmpm/demo\n");
  });

  test.each(sample(["workspace.restoring", "workspace.returned", "workspace.attached"] as const, 3))(
    "undo at %s is finished by the next undo",
    async (step) => {
      const { fixture: opened, workspace } = await openMade("worktree");
      using fixture = opened;
      await fixture.remove(workspace);
      await fixture.killedAt(step, (spaces) => spaces.restore(workspace, { sessionId: SESSION, trashId: "trash-1" }));
      await fixture.restore(workspace);
      expect(fixture.git(workspace.path, "status", "--porcelain", "--branch")).toBe("## tmpm/demo\n");
      expect(await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
      expect(readdirSync(join(fixture.home, "trash"))).toEqual([]);
    },
  );
});
