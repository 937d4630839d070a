import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { openFixture, type WorkspaceFixture, write } from "./workspace-fixture.js";

interface Layout {
  readonly layout: string;
  /** Returns the main work tree. */
  readonly build: (fixture: WorkspaceFixture) => string;
}

/** Repositories whose git folder is what git lists as the main work tree. */
const LAYOUTS: readonly Layout[] = [
  {
    layout: "a git folder elsewhere",
    build(fixture) {
      fixture.source.git("init", "--quiet", "--separate-git-dir", join(fixture.below, "separate"));
      return fixture.source.path;
    },
  },
  {
    layout: "a git folder behind a symbolic link",
    build(fixture) {
      renameSync(join(fixture.source.path, ".git"), join(fixture.below, "linked"));
      symlinkSync(join(fixture.below, "linked"), join(fixture.source.path, ".git"));
      return fixture.source.path;
    },
  },
  {
    layout: "a submodule",
    build(fixture) {
      const outer = join(fixture.below, "outer");
      fixture.git(fixture.below, "init", "--quiet", outer);
      fixture.git(outer, "submodule", "--quiet", "add", join(fixture.below, "origin.git"), "inner");
      return join(outer, "inner");
    },
  },
  {
    layout: "a submodule with a configuration for each work tree",
    build(fixture) {
      const outer = join(fixture.below, "outer");
      fixture.git(fixture.below, "init", "--quiet", outer);
      fixture.git(outer, "submodule", "--quiet", "add", join(fixture.below, "origin.git"), "inner");
      const inner = join(outer, "inner");
      fixture.git(inner, "config", "extensions.worktreeConfig", "true");
      fixture.git(inner, "config", "--worktree", "core.worktree", "../../../inner");
      fixture.git(inner, "config", "--file", join(outer, ".git", "modules", "inner", "config"), "--unset", "core.worktree");
      return inner;
    },
  },
];

function worked(fixture: WorkspaceFixture, path: string): void {
  write(join(path, "a.txt"), "a\n");
  fixture.git(path, "config", "user.name", "Demo");
  fixture.git(path, "config", "user.email", "demo@example.com");
  fixture.git(path, "add", "--all");
  fixture.git(path, "commit", "--quiet", "-m", "work");
}

function request(workspace: Workspace) {
  return { workspace, how: "squash", into: null, startedFrom: "refs/heads/main", commit: null, message: "Take up the work" } as const;
}

describe("the main work tree", { timeout: 240_000 }, () => {
  test.each(LAYOUTS)("of $layout is updated with its branch, and prevents this if it has changes", async ({ build }) => {
    using fixture = openFixture();
    const main = build(fixture);
    const workspace = await fixture.make("worktree", { from: main });
    worked(fixture, workspace.path);
    write(join(main, "file.txt"), "dirty\n");
    expect((await fixture.spaces.previewFinish(request(workspace))).blocks).toMatchObject([{ code: "checkout_dirty" }]);
    fixture.git(main, "checkout", "--quiet", "--", "file.txt");
    const { move } = await fixture.spaces.composeFinish(request(workspace));
    expect(move.checkout).toBe(main);
    await fixture.spaces.moveTarget({ ...move, why: "test" });
    expect(readFileSync(join(main, "a.txt"), "utf8")).toBe("a\n");
    expect(fixture.git(main, "status", "--porcelain")).toBe("");
    await fixture.spaces.moveTarget({ ...move, from: move.to, to: move.from, why: "test" });
    expect(existsSync(join(main, "a.txt"))).toBe(false);
    expect(fixture.git(main, "status", "--porcelain")).toBe("");
  });

  test("at an unknown location prevents moving its branch, but not others", async () => {
    using fixture = openFixture();
    fixture.source.git("init", "--quiet", "--separate-git-dir", join(fixture.below, "separate"));
    const side = join(fixture.below, "side");
    fixture.source.git("worktree", "add", "--quiet", "-b", "side", side);
    const workspace = await fixture.make("worktree", { from: side });
    worked(fixture, workspace.path);
    const before = fixture.source.git("rev-parse", "main");
    const { blocks } = await fixture.spaces.previewFinish(request(workspace));
    expect(blocks).toMatchObject([{ code: "checkout_unreachable", hint: expect.stringContaining("core.worktree") }]);
    await expect(fixture.spaces.composeFinish(request(workspace))).rejects.toMatchObject({ code: "FINISH_REFUSED" });
    expect(fixture.source.git("rev-parse", "main")).toBe(before);
    const { move } = await fixture.spaces.composeFinish({ ...request(workspace), into: "side" });
    expect(move.checkout).toBe(side);
    fixture.source.git("config", "core.worktree", fixture.source.path);
    expect(await fixture.spaces.previewFinish(request(workspace))).toMatchObject({ checkout: fixture.source.path, blocks: [] });
  });

  test("in core.worktree without a .git there prevents moving its branch, but not others", async () => {
    using fixture = openFixture();
    const main = fixture.source.path;
    const gitDir = join(fixture.below, "dotfiles");
    const side = join(fixture.below, "side");
    fixture.source.git("init", "--quiet", "--separate-git-dir", gitDir);
    fixture.source.git("worktree", "add", "--quiet", "-b", "side", side);
    fixture.git(gitDir, "config", "core.worktree", main);
    rmSync(join(main, ".git"));
    const workspace = await fixture.make("worktree", { from: side });
    worked(fixture, workspace.path);
    const refused = [{ code: "checkout_unreachable", message: expect.stringContaining(main) }];
    expect((await fixture.spaces.previewFinish(request(workspace))).blocks).toMatchObject(refused);
    const { move } = await fixture.spaces.composeFinish({ ...request(workspace), into: "side" });
    expect(move.checkout).toBe(side);
    await fixture.spaces.moveTarget({ ...move, why: "test" });
    expect(readFileSync(join(side, "a.txt"), "utf8")).toBe("a\n");
    fixture.git(fixture.below, "init", "--quiet", main);
    expect((await fixture.spaces.previewFinish(request(workspace))).blocks).toMatchObject(refused);
  });

  test("of a disconnected submodule is not confused with that of the surrounding repository", async () => {
    using fixture = openFixture();
    const outer = join(fixture.below, "outer");
    fixture.git(fixture.below, "init", "--quiet", outer);
    fixture.git(outer, "submodule", "--quiet", "add", join(fixture.below, "origin.git"), "inner");
    const workspace = await fixture.make("worktree", { from: join(outer, "inner") });
    worked(fixture, workspace.path);
    rmSync(join(outer, "inner"), { recursive: true });
    mkdirSync(join(outer, "inner"));
    expect((await fixture.spaces.previewFinish(request(workspace))).blocks).toMatchObject([{ code: "checkout_unreachable" }]);
  });

  test("is missing in a bare repository, whose branch moves alone", async () => {
    using fixture = openFixture();
    const folder = join(fixture.below, "proj");
    mkdirSync(folder);
    renameSync(join(fixture.below, "origin.git"), join(folder, "bare"));
    const workspace = await fixture.make("worktree", { from: join(folder, "bare") });
    worked(fixture, workspace.path);
    const { move } = await fixture.spaces.composeFinish(request(workspace));
    expect(move.checkout).toBeNull();
    await fixture.spaces.moveTarget({ ...move, why: "test" });
    expect(fixture.git(join(folder, "bare"), "rev-parse", "main").trim()).toBe(move.to);
  });
});
