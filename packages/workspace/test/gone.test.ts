import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import type { WorkspaceRequest } from "../src/index.js";
import { openMade, SESSION, type WorkspaceFixture, write } from "./workspace-fixture.js";

function requestOf({ kind, source, branch }: Workspace): WorkspaceRequest {
  const from = kind === "worktree" ? { kind, directory: source } : { kind, from: source };
  return { sessionId: SESSION, name: "demo", projectId: "default", source: from, branch };
}

const registered = (fixture: WorkspaceFixture) => fixture.source.git("worktree", "list", "--porcelain").match(/^worktree .+$/gm) ?? [];

describe("work tree removed by hand", () => {
  test("no longer holds its branch, which is reported", async () => {
    const { fixture, workspace } = await openMade("worktree");
    using _ = fixture;
    rmSync(workspace.path, { recursive: true });
    const next = await fixture.make("worktree", { name: "next", branch: workspace.branch });
    expect(next.notes).toEqual([expect.stringContaining(`registered as checked out in ${workspace.path}, which does not exist`)]);
    expect(registered(fixture)).toEqual([`worktree ${fixture.source.path}`, `worktree ${next.path}`]);
  });

  test.each([
    { why: "it is locked", spare: (fixture: WorkspaceFixture, path: string) => fixture.source.git("worktree", "lock", path), at: "side" },
    { why: "an empty folder may be where its disk belongs", spare: () => undefined, at: "disk/side" },
  ])("may be in use where $why", async ({ spare, at }) => {
    const { fixture } = await openMade("worktree");
    using _ = fixture;
    const path = join(fixture.below, at);
    fixture.source.git("worktree", "add", "--quiet", "-b", "side", path);
    spare(fixture, path);
    rmSync(path, { recursive: true });
    await expect(fixture.make("worktree", { name: "next", branch: "side" })).rejects.toMatchObject({
      code: "BRANCH_IN_USE",
      details: { path },
    });
  });

  test("is dropped from git when its session is removed", async () => {
    const { fixture, workspace } = await openMade("worktree");
    using _ = fixture;
    rmSync(workspace.path, { recursive: true });
    expect(await fixture.remove(workspace)).toEqual({ kind: "missing" });
    expect(registered(fixture)).toEqual([`worktree ${fixture.source.path}`]);
  });

  test("is recreated at its path on its branch's current commit, and owned as before", async () => {
    const { fixture, workspace } = await openMade("worktree");
    using _ = fixture;
    write(join(workspace.path, "work.txt"), "work\n");
    fixture.git(workspace.path, "add", ".");
    fixture.git(workspace.path, "commit", "--quiet", "-m", "work");
    rmSync(workspace.path, { recursive: true });
    expect(await fixture.spaces.standing(workspace)).toEqual({ kind: "missing" });
    const again = await fixture.spaces.recreate(workspace, { request: requestOf(workspace) });
    expect(again).toMatchObject({ path: workspace.path, branch: workspace.branch, branch_made: true, base: workspace.base, notes: [] });
    expect(existsSync(join(again.path, "work.txt"))).toBe(true);
    expect(await fixture.spaces.inspect(again, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
    await expect(fixture.spaces.recreate(again, { request: requestOf(again) })).rejects.toMatchObject({ code: "TARGET_EXISTS" });
  });

  test("gets its branch at the original base when the branch is gone too, and a clone is cloned again", async () => {
    for (const kind of ["worktree", "clone"] as const) {
      const { fixture, workspace } = await openMade(kind);
      using _ = fixture;
      rmSync(workspace.path, { recursive: true });
      if (kind === "worktree") {
        fixture.source.git("worktree", "prune");
        fixture.source.git("branch", "--quiet", "-D", workspace.branch);
      }
      const again = await fixture.spaces.recreate(workspace, { request: requestOf(workspace) });
      expect(again.notes).toEqual(kind === "clone" ? [] : [expect.stringContaining(`branch ${workspace.branch} no longer existed`)]);
      expect(fixture.git(again.path, "rev-parse", "HEAD").trim()).toBe(workspace.base);
      expect(await fixture.spaces.inspect(again, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours" });
    }
  });

  test.each(["workspace.reserved", "workspace.added", "workspace.filled"] as const)(
    "is recreated after a crash at %s, with its branch unchanged",
    async (step) => {
      const { fixture, workspace } = await openMade("worktree");
      using _ = fixture;
      rmSync(workspace.path, { recursive: true });
      await fixture.killedAt(step, (spaces) => spaces.recreate(workspace, { request: requestOf(workspace) }));
      expect(await fixture.spaces.standing(workspace)).toEqual({ kind: "unfinished" });
      const again = await fixture.spaces.recreate(workspace, { request: requestOf(workspace) });
      expect(fixture.git(again.path, "branch", "--show-current").trim()).toBe(workspace.branch);
      expect(await fixture.spaces.standing(again)).toEqual({ kind: "standing" });
    },
  );

  test("is not recreated on a branch that is now checked out elsewhere", async () => {
    const { fixture, workspace } = await openMade("worktree");
    using _ = fixture;
    rmSync(workspace.path, { recursive: true });
    await fixture.make("worktree", { name: "next", branch: workspace.branch });
    await expect(fixture.spaces.recreate(workspace, { request: requestOf(workspace) })).rejects.toMatchObject({ code: "BRANCH_IN_USE" });
  });

  test("keeps its branch when recreating fails", async () => {
    const { fixture, workspace } = await openMade("worktree");
    using _ = fixture;
    rmSync(workspace.path, { recursive: true });
    fixture.failAt("workspace.marked");
    await expect(fixture.spaces.recreate(workspace, { request: requestOf(workspace) })).rejects.toThrow("a failure at a step");
    expect(fixture.source.git("rev-parse", workspace.branch).trim()).toBe(workspace.base);
  });
});

describe("worktree of a moved repository", () => {
  test("is disconnected until the new path is given, then owned as before", async () => {
    const { fixture, workspace } = await openMade("worktree");
    using _ = fixture;
    const moved = join(fixture.below, "moved");
    renameSync(fixture.source.path, moved);
    expect(await fixture.spaces.standing(workspace)).toEqual({ kind: "cut_off", repository: fixture.source.path });
    const relinked = await fixture.spaces.relink(workspace, { sessionId: SESSION, directory: moved });
    expect(relinked).toMatchObject({ source: moved, repository: join(moved, ".git") });
    expect(await fixture.spaces.standing(relinked)).toEqual({ kind: "standing" });
    expect(await fixture.spaces.inspect(relinked, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
    expect(await fixture.spaces.relink(workspace, { sessionId: SESSION, directory: moved })).toEqual(relinked);
  });

  test("is not connected to another repository", async () => {
    const { fixture, workspace } = await openMade("worktree");
    using _ = fixture;
    const other = join(fixture.below, "other");
    fixture.git(fixture.below, "clone", "--quiet", "origin.git", other);
    fixture.git(other, "worktree", "add", "--quiet", "-b", "tmpm/demo", join(fixture.below, "demo-5b1e0c4e"));
    mkdirSync(join(fixture.below, "none"));
    const relink = (directory: string) => fixture.spaces.relink(workspace, { sessionId: SESSION, directory });
    await expect(relink(other)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(relink(join(fixture.below, "none"))).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
    await expect(relink(join(fixture.below, "missing"))).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
    expect(await fixture.spaces.standing(workspace)).toEqual({ kind: "standing" });
  });
});
