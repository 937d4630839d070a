import { chmodSync, existsSync, readFileSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import type { ReasonCode } from "../src/index.js";
import { sample } from "./sample.js";
import { filesHash, openMade, treeHash, type WorkspaceFixture, write } from "./workspace-fixture.js";

interface Way {
  readonly name: string;
  readonly kind?: "clone";
  /** The reason of the refusal; null if the removal succeeds and nothing is lost. */
  readonly refusal: ReasonCode | null;
  /** Only the work tree keeps its objects alive: the repository is garbage-collected while it is in the trash. */
  readonly gc?: true;
  work(fixture: WorkspaceFixture, path: string): void;
  /** Expected after an undo, besides every file, the index, HEAD and the refs. */
  kept?(fixture: WorkspaceFixture, path: string): void;
}

const commit = (fixture: WorkspaceFixture, path: string, message = "work") => {
  write(join(path, "new.txt"), message);
  fixture.git(path, "add", ".");
  fixture.git(path, "commit", "--quiet", "-m", message);
};
const change = (path: string) => write(join(path, "file.txt"), "changed\n");

const WAYS: readonly Way[] = [
  { name: "a change that is not staged", refusal: "unstaged", work: (_, path) => change(path) },
  {
    name: "a change that is staged",
    refusal: "staged",
    work(fixture, path) {
      change(path);
      fixture.git(path, "add", ".");
    },
  },
  {
    name: "a file that is in the index alone",
    refusal: "staged",
    gc: true,
    work(fixture, path) {
      write(join(path, "new.txt"), "work");
      fixture.git(path, "add", ".");
      unlinkSync(join(path, "new.txt"));
    },
    kept: (fixture, path) => expect(fixture.git(path, "show", ":new.txt")).toBe("work"),
  },
  { name: "a file that git does not know", refusal: "untracked", work: (_, path) => write(join(path, "deep", "new.txt"), "work") },
  {
    name: "a file that git is configured to hide",
    refusal: "untracked",
    work(fixture, path) {
      fixture.git(path, "config", "status.showUntrackedFiles", "no");
      write(join(path, "new.txt"), "work");
    },
  },
  {
    name: "a file that is to be added",
    refusal: "unstaged",
    work(fixture, path) {
      write(join(path, "new.txt"), "work");
      fixture.git(path, "add", "--intent-to-add", "new.txt");
    },
  },
  { name: "a file's mode", refusal: "unstaged", work: (_, path) => chmodSync(join(path, "file.txt"), 0o755) },
  {
    name: "a link in the place of a file",
    refusal: "unstaged",
    work(_, path) {
      unlinkSync(join(path, "file.txt"));
      symlinkSync("elsewhere", join(path, "file.txt"));
    },
  },
  {
    name: "a change of a file that is assumed to be unchanged",
    refusal: "hidden_changes",
    work(fixture, path) {
      fixture.git(path, "update-index", "--assume-unchanged", "file.txt");
      change(path);
    },
  },
  {
    name: "a change of a file that is skipped",
    refusal: "hidden_changes",
    work(fixture, path) {
      fixture.git(path, "update-index", "--skip-worktree", "file.txt");
      change(path);
    },
  },
  {
    name: "a commit on no branch",
    refusal: "detached",
    gc: true,
    work(fixture, path) {
      fixture.git(path, "checkout", "--quiet", "--detach");
      commit(fixture, path);
    },
  },
  {
    name: "a commit that only a ref of the work tree holds",
    refusal: "detached",
    gc: true,
    work(fixture, path) {
      commit(fixture, path);
      fixture.git(path, "update-ref", "refs/worktree/kept", "HEAD");
      fixture.git(path, "reset", "--quiet", "--hard", "HEAD~1");
    },
  },
  {
    name: "a commit of a clone that is not pushed",
    kind: "clone",
    refusal: "unpushed",
    work: (fixture, path) => commit(fixture, path),
  },
  {
    name: "a commit on another branch of a clone",
    kind: "clone",
    refusal: "unpushed",
    work(fixture, path) {
      fixture.git(path, "checkout", "--quiet", "-b", "other");
      commit(fixture, path);
      fixture.git(path, "checkout", "--quiet", "tmpm/demo");
    },
  },
  {
    name: "a commit that only a tag of a clone holds",
    kind: "clone",
    refusal: "unpushed",
    work(fixture, path) {
      commit(fixture, path);
      fixture.git(path, "tag", "kept");
      fixture.git(path, "reset", "--quiet", "--hard", "HEAD~1");
    },
  },
  {
    name: "a note in a clone",
    kind: "clone",
    refusal: "unpushed",
    work: (fixture, path) => void fixture.git(path, "notes", "add", "-m", "work"),
  },
  {
    name: "everything in a clone whose remote was removed",
    kind: "clone",
    refusal: "unpushed",
    work: (fixture, path) => void fixture.git(path, "remote", "remove", "origin"),
  },
  {
    name: "a stash of a clone",
    kind: "clone",
    refusal: "stash",
    work(fixture, path) {
      change(path);
      fixture.git(path, "stash", "--quiet");
    },
    kept: (fixture, path) => expect(fixture.git(path, "stash", "show", "-p")).toContain("+changed"),
  },
  {
    name: "a stash in a worktree, which stays in the repository",
    refusal: null,
    work(fixture, path) {
      change(path);
      fixture.git(path, "stash", "--quiet");
    },
    kept: (fixture) => expect(fixture.source.git("stash", "show", "-p")).toContain("+changed"),
  },
  {
    name: "a commit on the branch of a worktree, which is kept",
    refusal: null,
    work: (fixture, path) => commit(fixture, path),
    kept: (fixture) => expect(fixture.source.git("log", "-1", "--format=%s", "tmpm/demo")).toBe("work\n"),
  },
  {
    name: "a commit that was amended away",
    refusal: null,
    gc: true,
    work(fixture, path) {
      commit(fixture, path, "before");
      fixture.git(path, "commit", "--quiet", "--amend", "-m", "after");
    },
    kept: (fixture, path) => expect(fixture.git(path, "reflog", "--format=%gs")).toContain("commit: before"),
  },
  {
    name: "a rebase in progress",
    refusal: "in_progress",
    gc: true,
    work(fixture, path) {
      commit(fixture, path);
      fixture.git(path, "-c", "sequence.editor=sed -i 1s/pick/edit/", "rebase", "--quiet", "--interactive", "HEAD~1");
    },
  },
  {
    name: "a merge with conflicts",
    refusal: "conflicts",
    gc: true,
    work(fixture, path) {
      fixture.git(path, "checkout", "--quiet", "-b", "theirs");
      write(join(path, "file.txt"), "theirs\n");
      fixture.git(path, "commit", "--quiet", "-am", "theirs");
      fixture.git(path, "checkout", "--quiet", "tmpm/demo");
      write(join(path, "file.txt"), "ours\n");
      fixture.git(path, "commit", "--quiet", "-am", "ours");
      expect(() => fixture.git(path, "merge", "--quiet", "theirs")).toThrow();
    },
  },
  {
    name: "a bisect in progress",
    refusal: "in_progress",
    work: (fixture, path) => void fixture.git(path, "bisect", "start"),
  },
  {
    name: "files that git ignores, which go to the trash",
    refusal: null,
    work: (_, path) => write(join(path, "keys.secret"), "precious"),
    kept: (_, path) => expect(readFileSync(join(path, "keys.secret"), "utf8")).toBe("precious"),
  },
  {
    name: "a repository in an ignored folder, with a file",
    refusal: "nested_repository",
    work(fixture, path) {
      write(join(path, "ignored", "repo", "new.txt"), "work");
      fixture.git(join(path, "ignored", "repo"), "init", "--quiet");
    },
  },
  {
    name: "a file in a submodule",
    refusal: "nested_repository",
    work(fixture, path) {
      addSubmodule(fixture, path);
      write(join(path, "sub", "new.txt"), "work");
    },
  },
  {
    name: "a commit in a submodule that is not pushed",
    refusal: "nested_repository",
    work(fixture, path) {
      addSubmodule(fixture, path);
      commit(fixture, join(path, "sub"));
      fixture.git(path, "commit", "--quiet", "-am", "newer submodule");
    },
  },
  {
    name: "a clean submodule, which comes back with the rest",
    refusal: null,
    work: (fixture, path) => addSubmodule(fixture, path),
    kept: (fixture, path) => expect(fixture.git(join(path, "sub"), "status", "--porcelain=v2", "--branch")).toContain("# branch.oid"),
  },
  {
    name: "an older branch, with a commit that is nowhere else",
    refusal: null,
    work(fixture, path) {
      fixture.source.git("branch", "mine");
      fixture.git(path, "checkout", "--quiet", "mine");
      commit(fixture, path);
    },
    kept: (fixture) => expect(fixture.source.git("log", "-1", "--format=%s", "mine")).toBe("work\n"),
  },
  {
    name: "a branch before its first commit",
    refusal: "staged",
    work: (fixture, path) => void fixture.git(path, "checkout", "--quiet", "--orphan", "fresh"),
  },
];

function addSubmodule(fixture: WorkspaceFixture, path: string): void {
  fixture.git(path, "submodule", "--quiet", "add", join(fixture.below, "origin.git"), "sub");
  fixture.git(path, "commit", "--quiet", "-m", "with a submodule");
}

/** All knowledge of git and the file system about the workspace. */
function everything(fixture: WorkspaceFixture, { path, kind }: Workspace) {
  return {
    files: filesHash(path),
    refs: fixture.git(path, "for-each-ref"),
    index: fixture.git(path, "ls-files", "--stage", "-v"),
    status: fixture.git(path, "status", "--porcelain=v2", "--branch", "--ignored"),
    worktrees: kind === "worktree" ? fixture.source.git("worktree", "list", "--porcelain") : null,
  };
}

describe("unsaved work", { timeout: 240_000 }, () => {
  test.each(sample(WAYS, 5))("is not lost: $name", async ({ kind, refusal, gc, work, kept }) => {
    const { fixture: opened, workspace } = await openMade(kind ?? "worktree");
    using fixture = opened;
    work(fixture, workspace.path);
    const before = everything(fixture, workspace);
    const tree = treeHash(fixture.below);
    if (refusal !== null) {
      await expect(fixture.remove(workspace)).rejects.toMatchObject({
        code: "WORKSPACE_REFUSED",
        details: { reasons: expect.arrayContaining([expect.objectContaining({ kind: "work", code: refusal })]) },
      });
      expect(treeHash(fixture.below)).toBe(tree);
    }
    const removed = await fixture.remove(workspace, { discard: refusal !== null });
    expect(removed).toMatchObject({ kind: "trashed", path: join(fixture.home, "trash", "trash-1", "tree") });
    expect(existsSync(workspace.path)).toBe(false);
    // Maintenance that git may run while the work tree is away.
    if (gc) fixture.source.git("gc", "--quiet", "--prune=now");
    if (kind === undefined) fixture.source.git("worktree", "prune");
    expect((await fixture.restore(workspace)).notes).toEqual([]);
    expect(everything(fixture, workspace)).toEqual(before);
    kept?.(fixture, workspace.path);
    expect(existsSync(join(fixture.home, "trash", "trash-1"))).toBe(false);
  });
});

describe("several reasons", () => {
  test("are reported in one rejection, with their subjects", async () => {
    const { fixture: opened, workspace } = await openMade("clone");
    using fixture = opened;
    const { path } = workspace;
    commit(fixture, path);
    change(path);
    fixture.git(path, "stash", "--quiet");
    write(join(path, "file.txt"), "again\n");
    write(join(path, "untracked.txt"), "work");
    fixture.processes.push({ pid: 7, cwd: path });
    const refusal: unknown = await fixture
      .remove(workspace, { others: [{ name: "other", cwd: path, workspacePath: null }] })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "WORKSPACE_REFUSED",
      details: {
        path,
        reasons: [
          { kind: "in_use", code: "session", items: ["other"] },
          { kind: "in_use", code: "process", items: ['7 in "."'] },
          { kind: "work", code: "unstaged", items: ["file.txt"] },
          { kind: "work", code: "untracked", items: ["untracked.txt"] },
          { kind: "work", code: "unpushed", message: "1 commit not pushed" },
          { kind: "work", code: "stash", message: "1 stash" },
        ],
      },
    });
    await expect(fixture.remove(workspace, { discard: true })).rejects.toMatchObject({
      details: { reasons: [{ kind: "in_use", code: "process" }] },
    });
  });
});
