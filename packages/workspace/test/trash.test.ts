import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import type { WorkspaceStep } from "../src/index.js";
import { sample } from "./sample.js";
import { DAY_MS, openMade, SESSION, treeHash, type WorkspaceLab, write } from "./workspace-lab.js";

const commit = (lab: WorkspaceLab, path: string) => {
  write(join(path, "new.txt"), "work");
  lab.git(path, "add", ".");
  lab.git(path, "commit", "--quiet", "-m", "work");
};
const branches = (lab: WorkspaceLab) => lab.source.git("for-each-ref", "--format=%(refname:short)", "refs/heads").trim().split("\n");

describe("a removed workspace", { timeout: 240_000 }, () => {
  test("is in the trash for a week, frees its branch, and comes back as it was", async () => {
    const { lab: opened, workspace } = await openMade("worktree");
    using lab = opened;
    commit(lab, workspace.path);
    const removed = await lab.remove(workspace);
    expect(removed).toMatchObject({
      kind: "trashed",
      at: lab.now,
      until: lab.now + 7 * DAY_MS,
      branch: { kind: "kept", name: "tmpm/demo", why: "it has commits that exist nowhere else" },
      ignored: 0,
    });
    expect(readFileSync(join(lab.home, "trash", "trash-1", "tree", "new.txt"), "utf8")).toBe("work");
    lab.source.git("checkout", "--quiet", "tmpm/demo");
    lab.source.git("checkout", "--quiet", "main");
    expect((await lab.restore(workspace)).notes).toEqual([]);
    expect(lab.git(workspace.path, "branch", "--show-current").trim()).toBe("tmpm/demo");
    expect(await lab.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
  });

  test("takes its branch along when we made it and another branch holds every commit, and brings it back", async () => {
    const { lab: opened, workspace } = await openMade("worktree");
    using lab = opened;
    commit(lab, workspace.path);
    lab.source.git("merge", "--quiet", "tmpm/demo");
    const tip = lab.source.git("rev-parse", "tmpm/demo");
    expect(await lab.remove(workspace)).toMatchObject({ branch: { kind: "deleted", name: "tmpm/demo", commit: tip.trim() } });
    expect(branches(lab)).toEqual(["main"]);
    await lab.restore(workspace);
    expect(lab.source.git("rev-parse", "tmpm/demo")).toBe(tip);
    expect(lab.git(workspace.path, "branch", "--show-current").trim()).toBe("tmpm/demo");
  });

  test("leaves a branch that was there before, merged or not", async () => {
    const { lab: opened, workspace } = await openMade("worktree");
    using lab = opened;
    expect(await lab.remove({ ...workspace, branch_made: false })).toMatchObject({ branch: { kind: "kept", why: "it existed before" } });
    expect(branches(lab)).toEqual(["main", "tmpm/demo"]);
  });

  test("comes back without its branch when that has moved on or is checked out elsewhere, and says so", async () => {
    const { lab: opened, workspace } = await openMade("worktree");
    using lab = opened;
    commit(lab, workspace.path);
    await lab.remove(workspace);
    lab.source.git("checkout", "--quiet", "tmpm/demo");
    expect((await lab.restore(workspace)).notes).toEqual([expect.stringContaining("is checked out in")]);
    expect(lab.git(workspace.path, "branch", "--show-current")).toBe("");
    await lab.remove(workspace, { trashId: "trash-2" });
    lab.source.git("commit", "--quiet", "--allow-empty", "-m", "more");
    expect((await lab.restore(workspace, "trash-2")).notes).toEqual([]);
    expect(lab.git(workspace.path, "log", "-1", "--format=%s")).toBe("work\n");
  });

  test("does not come back over something that is there now, and not twice", async () => {
    const { lab: opened, workspace } = await openMade("clone");
    using lab = opened;
    await lab.remove(workspace);
    write(join(workspace.path, "mine"), "mine");
    await expect(lab.restore(workspace)).rejects.toMatchObject({ code: "TARGET_EXISTS" });
    expect(readFileSync(join(workspace.path, "mine"), "utf8")).toBe("mine");
    rmSync(workspace.path, { recursive: true });
    await lab.restore(workspace);
    // The crash came after everything was done.
    expect(await lab.restore(workspace)).toMatchObject({ workspace: { path: workspace.path }, notes: [] });
    expect(await lab.remove(workspace, { trashId: "trash-2" })).toMatchObject({ kind: "trashed" });
    await expect(lab.restore(workspace)).rejects.toMatchObject({ code: "WORKSPACE_GONE" });
  });

  test("that somebody deleted already is missing, and nothing is done", async () => {
    const { lab: opened, workspace } = await openMade("clone");
    using lab = opened;
    rmSync(workspace.path, { recursive: true });
    const before = treeHash(lab.below);
    expect(await lab.remove(workspace)).toEqual({ kind: "missing" });
    expect(treeHash(lab.below)).toBe(before);
  });

  test("whose session was never launched is rolled back with its branch, unless somebody worked in it", async () => {
    const { lab: opened, workspace } = await openMade("worktree");
    using lab = opened;
    write(join(workspace.path, "new.txt"), "work");
    await expect(lab.spaces.takeBack(workspace, { sessionId: SESSION })).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
    rmSync(join(workspace.path, "new.txt"));
    await lab.spaces.takeBack(workspace, { sessionId: SESSION });
    expect(branches(lab)).toEqual(["main"]);
    expect(readdirSync(join(lab.home, "workspaces", "default"))).toEqual([]);
    expect(readdirSync(join(lab.home, "trash"))).toEqual([]);
  });
});

describe("the trash", { timeout: 240_000 }, () => {
  test("is emptied of what has been there for its time, read-only folders too, and of nothing else", async () => {
    const { lab: opened, workspace } = await openMade("worktree");
    using lab = opened;
    commit(lab, workspace.path);
    write(join(lab.below, "victim", "work"), "work");
    write(join(workspace.path, "ignored", "closed", "file"), "x");
    symlinkSync(join(lab.below, "victim"), join(workspace.path, "ignored", "link"));
    chmodSync(join(workspace.path, "ignored", "closed"), 0o500);
    await lab.remove(workspace);
    write(join(lab.home, "trash", "mine", "file"), "mine");
    symlinkSync(join(lab.below, "victim"), join(lab.home, "trash", "link"));
    lab.now += 7 * DAY_MS - 1;
    expect(await lab.spaces.purge()).toEqual([]);
    lab.now += 1;
    expect(await lab.spaces.purge()).toEqual(["trash-1"]);
    expect(readdirSync(join(lab.home, "trash")).sort()).toEqual(["link", "mine"]);
    expect(readFileSync(join(lab.below, "victim", "work"), "utf8")).toBe("work");
    expect(lab.source.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
    expect(branches(lab)).toContain("tmpm/demo");
    await expect(lab.restore(workspace)).rejects.toMatchObject({ code: "WORKSPACE_GONE" });
  });

  test("keeps what has a file system mounted in it, and continues after a crash", async () => {
    const { lab: opened, workspace } = await openMade("clone");
    using lab = opened;
    await lab.remove(workspace);
    lab.now += 8 * DAY_MS;
    lab.mounts.push(join(lab.home, "trash", "trash-1", "tree", "data"));
    expect(await lab.spaces.purge()).toEqual([]);
    expect(existsSync(join(lab.home, "trash", "trash-1", "tree", "file.txt"))).toBe(true);
    lab.mounts.length = 0;
    await lab.killedAt("workspace.emptied", (spaces) => spaces.purge());
    await expect(lab.restore(workspace)).rejects.toMatchObject({ code: "WORKSPACE_GONE" });
    expect(await lab.spaces.purge()).toEqual(["trash-1"]);
  });
});

describe("an interrupted removal", { timeout: 240_000 }, () => {
  const before: readonly WorkspaceStep[] = ["workspace.listed", "workspace.detached"];
  const after: readonly WorkspaceStep[] = ["workspace.moved", "workspace.registered", "workspace.trashed"];
  const remove = (workspace: Workspace) => ({ workspace, options: { sessionId: SESSION, others: [], trashId: "trash-1", discard: true } });

  test.each(sample(before, 2))("at %s is rolled back, and the workspace stands as before", async (step) => {
    const { lab: opened, workspace } = await openMade("worktree");
    using lab = opened;
    write(join(workspace.path, "new.txt"), "work");
    const { options } = remove(workspace);
    await lab.killedAt(step, (spaces) => spaces.remove(workspace, options));
    expect(await lab.spaces.finishRemoval("trash-1")).toBeNull();
    expect(await lab.spaces.finishRemoval("trash-1")).toBeNull();
    expect(lab.git(workspace.path, "status", "--porcelain", "--branch")).toBe("## tmpm/demo\n?? new.txt\n");
    expect(await lab.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ reasons: [{ code: "untracked" }] });
    expect(readdirSync(join(lab.home, "trash"))).toEqual([]);
  });

  test.each(sample(after, 3))("at %s is finished, and can be undone", async (step) => {
    const { lab: opened, workspace } = await openMade("worktree");
    using lab = opened;
    write(join(workspace.path, "new.txt"), "work");
    const { options } = remove(workspace);
    await lab.killedAt(step, (spaces) => spaces.remove(workspace, options));
    // A repository takes a work tree that is not where it was for gone.
    lab.source.git("worktree", "prune");
    expect(await lab.spaces.finishRemoval("trash-1")).toMatchObject({ kind: "trashed", id: "trash-1" });
    expect(existsSync(workspace.path)).toBe(false);
    await lab.restore(workspace);
    expect(lab.git(workspace.path, "status", "--porcelain", "--branch")).toBe("## tmpm/demo\n?? new.txt\n");
  });

  test.each(sample(["workspace.restoring", "workspace.returned", "workspace.attached"] as const, 3))(
    "undo at %s is finished by the next",
    async (step) => {
      const { lab: opened, workspace } = await openMade("worktree");
      using lab = opened;
      await lab.remove(workspace);
      await lab.killedAt(step, (spaces) => spaces.restore(workspace, { sessionId: SESSION, trashId: "trash-1" }));
      await lab.restore(workspace);
      expect(lab.git(workspace.path, "status", "--porcelain", "--branch")).toBe("## tmpm/demo\n");
      expect(await lab.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
      expect(readdirSync(join(lab.home, "trash"))).toEqual([]);
    },
  );
});
