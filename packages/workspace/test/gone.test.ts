import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import type { WorkspaceRequest } from "../src/index.js";
import { openMade, SESSION, type WorkspaceLab, write } from "./workspace-lab.js";

function requestOf({ kind, source, branch }: Workspace): WorkspaceRequest {
  const from = kind === "worktree" ? { kind, directory: source } : { kind, from: source };
  return { sessionId: SESSION, name: "demo", projectId: "default", source: from, branch };
}

const registered = (lab: WorkspaceLab) => lab.source.git("worktree", "list", "--porcelain").match(/^worktree .+$/gm) ?? [];

describe("a work tree that was removed by hand", () => {
  test("holds its branch no longer, which is said", async () => {
    const { lab, workspace } = await openMade("worktree");
    using _ = lab;
    rmSync(workspace.path, { recursive: true });
    const next = await lab.make("worktree", { name: "next", branch: workspace.branch });
    expect(next.notes).toEqual([expect.stringContaining(`registered as checked out in ${workspace.path}, which does not exist`)]);
    expect(registered(lab)).toEqual([`worktree ${lab.source.path}`, `worktree ${next.path}`]);
  });

  test.each([
    { why: "it is locked", spare: (lab: WorkspaceLab, path: string) => lab.source.git("worktree", "lock", path), at: "side" },
    { why: "an empty folder may be where its disk belongs", spare: () => undefined, at: "disk/side" },
  ])("may be alive where $why", async ({ spare, at }) => {
    const { lab } = await openMade("worktree");
    using _ = lab;
    const path = join(lab.below, at);
    lab.source.git("worktree", "add", "--quiet", "-b", "side", path);
    spare(lab, path);
    rmSync(path, { recursive: true });
    await expect(lab.make("worktree", { name: "next", branch: "side" })).rejects.toMatchObject({
      code: "BRANCH_IN_USE",
      details: { path },
    });
  });

  test("is forgotten by git when its session is removed", async () => {
    const { lab, workspace } = await openMade("worktree");
    using _ = lab;
    rmSync(workspace.path, { recursive: true });
    expect(await lab.remove(workspace)).toEqual({ kind: "missing" });
    expect(registered(lab)).toEqual([`worktree ${lab.source.path}`]);
  });

  test("is made again at its place, on its branch as that is now, and is ours as before", async () => {
    const { lab, workspace } = await openMade("worktree");
    using _ = lab;
    write(join(workspace.path, "work.txt"), "work\n");
    lab.git(workspace.path, "add", ".");
    lab.git(workspace.path, "commit", "--quiet", "-m", "work");
    rmSync(workspace.path, { recursive: true });
    expect(await lab.spaces.standing(workspace)).toEqual({ kind: "missing" });
    const again = await lab.spaces.recreate(workspace, { request: requestOf(workspace) });
    expect(again).toMatchObject({ path: workspace.path, branch: workspace.branch, branch_made: true, base: workspace.base, notes: [] });
    expect(existsSync(join(again.path, "work.txt"))).toBe(true);
    expect(await lab.spaces.inspect(again, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
    await expect(lab.spaces.recreate(again, { request: requestOf(again) })).rejects.toMatchObject({ code: "TARGET_EXISTS" });
  });

  test("starts its branch again where it began when that is gone, too, and a clone is cloned again", async () => {
    for (const kind of ["worktree", "clone"] as const) {
      const { lab, workspace } = await openMade(kind);
      using _ = lab;
      rmSync(workspace.path, { recursive: true });
      if (kind === "worktree") {
        lab.source.git("worktree", "prune");
        lab.source.git("branch", "--quiet", "-D", workspace.branch);
      }
      const again = await lab.spaces.recreate(workspace, { request: requestOf(workspace) });
      expect(again.notes).toEqual(kind === "clone" ? [] : [expect.stringContaining(`branch ${workspace.branch} was gone`)]);
      expect(lab.git(again.path, "rev-parse", "HEAD").trim()).toBe(workspace.base);
      expect(await lab.spaces.inspect(again, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours" });
    }
  });

  test.each(["workspace.reserved", "workspace.added", "workspace.filled"] as const)(
    "is made again after a crash at %s, and its branch keeps what it had",
    async (step) => {
      const { lab, workspace } = await openMade("worktree");
      using _ = lab;
      rmSync(workspace.path, { recursive: true });
      await lab.killedAt(step, (spaces) => spaces.recreate(workspace, { request: requestOf(workspace) }));
      expect(await lab.spaces.standing(workspace)).toEqual({ kind: "unfinished" });
      const again = await lab.spaces.recreate(workspace, { request: requestOf(workspace) });
      expect(lab.git(again.path, "branch", "--show-current").trim()).toBe(workspace.branch);
      expect(await lab.spaces.standing(again)).toEqual({ kind: "standing" });
    },
  );

  test("is not made again on a branch that is checked out elsewhere by now", async () => {
    const { lab, workspace } = await openMade("worktree");
    using _ = lab;
    rmSync(workspace.path, { recursive: true });
    await lab.make("worktree", { name: "next", branch: workspace.branch });
    await expect(lab.spaces.recreate(workspace, { request: requestOf(workspace) })).rejects.toMatchObject({ code: "BRANCH_IN_USE" });
  });

  test("keeps its branch when making it again fails", async () => {
    const { lab, workspace } = await openMade("worktree");
    using _ = lab;
    rmSync(workspace.path, { recursive: true });
    lab.failAt("workspace.marked");
    await expect(lab.spaces.recreate(workspace, { request: requestOf(workspace) })).rejects.toThrow("a failure at a step");
    expect(lab.source.git("rev-parse", workspace.branch).trim()).toBe(workspace.base);
  });
});

describe("a worktree whose repository was moved", () => {
  test("is cut off until it is told where that is, and then ours as before", async () => {
    const { lab, workspace } = await openMade("worktree");
    using _ = lab;
    const moved = join(lab.below, "moved");
    renameSync(lab.source.path, moved);
    expect(await lab.spaces.standing(workspace)).toEqual({ kind: "cut_off", repository: lab.source.path });
    const relinked = await lab.spaces.relink(workspace, { sessionId: SESSION, directory: moved });
    expect(relinked).toMatchObject({ source: moved, repository: join(moved, ".git") });
    expect(await lab.spaces.standing(relinked)).toEqual({ kind: "standing" });
    expect(await lab.spaces.inspect(relinked, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
    expect(await lab.spaces.relink(workspace, { sessionId: SESSION, directory: moved })).toEqual(relinked);
  });

  test("is connected to no other repository", async () => {
    const { lab, workspace } = await openMade("worktree");
    using _ = lab;
    const other = join(lab.below, "other");
    lab.git(lab.below, "clone", "--quiet", "origin.git", other);
    lab.git(other, "worktree", "add", "--quiet", "-b", "tmpm/demo", join(lab.below, "demo-5b1e0c4e"));
    mkdirSync(join(lab.below, "none"));
    const relink = (directory: string) => lab.spaces.relink(workspace, { sessionId: SESSION, directory });
    await expect(relink(other)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(relink(join(lab.below, "none"))).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
    await expect(relink(join(lab.below, "missing"))).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
    expect(await lab.spaces.standing(workspace)).toEqual({ kind: "standing" });
  });
});
