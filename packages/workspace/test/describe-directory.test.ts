import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeDirectory } from "../src/index.js";
import { openCommitted, openFolder, openRepository } from "./repository.js";

const env = { PATH: process.env.PATH, HOME: "/nonexistent" };
/** Waits for a loaded machine. */
const asked = { env, timeoutMs: 60_000 };

describe("directory", () => {
  test("outside a repository has no git facts", async () => {
    using folder = openFolder();
    expect(await describeDirectory(folder.path, asked)).toEqual({
      kind: "directory",
      realPath: folder.path,
      git: null,
      gitReason: "not a git repository",
    });
  });

  test("is distinguished from a missing path and from a file", async () => {
    using folder = openFolder();
    writeFileSync(join(folder.path, "file"), "");
    expect(await describeDirectory(join(folder.path, "none"), asked)).toEqual({ kind: "missing" });
    expect(await describeDirectory(join(folder.path, "file", "below"), asked)).toEqual({ kind: "missing" });
    expect(await describeDirectory(join(folder.path, "file"), asked)).toEqual({
      kind: "not_directory",
      realPath: join(folder.path, "file"),
    });
  });

  test("that cannot be inspected has the reason", async () => {
    using folder = openFolder();
    symlinkSync("loop", join(folder.path, "loop"));
    expect(await describeDirectory(join(folder.path, "loop"), asked)).toEqual({ kind: "unreadable", reason: "ELOOP" });
    expect(await describeDirectory(`/${"x".repeat(5000)}`, asked)).toEqual({ kind: "unreadable", reason: "ENAMETOOLONG" });
  });

  test("has its path resolved, with any characters in it", async () => {
    using folder = openFolder();
    const path = join(folder.path, "a #{x} -b\n'c\" é");
    mkdirSync(path);
    symlinkSync(path, join(folder.path, "link"));
    expect(await describeDirectory(join(folder.path, "link"), asked)).toMatchObject({ kind: "directory", realPath: path });
  });
});

describe("directory in a repository", () => {
  test("has the top, the branch, the commit and the remote", async () => {
    using repository = openCommitted();
    repository.git("remote", "add", "backup", "/elsewhere");
    repository.git("remote", "add", "origin", "https://demo:s3cret@example.com/demo/proj.git");
    mkdirSync(join(repository.path, "below"));
    expect(await describeDirectory(join(repository.path, "below"), asked)).toMatchObject({
      realPath: join(repository.path, "below"),
      git: {
        root: repository.path,
        branch: "main",
        commit: repository.git("rev-parse", "HEAD").trim(),
        remote: "https://example.com/demo/proj.git",
      },
      gitReason: null,
    });
  });

  test("has a branch before its first commit, and none on a detached HEAD", async () => {
    using repository = openRepository();
    expect(await describeDirectory(repository.path, asked)).toMatchObject({ git: { branch: "main", commit: null, remote: null } });
    repository.git("commit", "--quiet", "--allow-empty", "-m", "first");
    repository.git("checkout", "--quiet", "--detach");
    expect(await describeDirectory(repository.path, asked)).toMatchObject({
      git: { branch: null, commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
    });
  });

  test("is found in a linked work tree, and below a path with unusual characters", async () => {
    using repository = openCommitted();
    using other = openFolder();
    const path = join(other.path, "-w #{x}\né");
    repository.git("worktree", "add", "--quiet", "-b", "side", path);
    expect(await describeDirectory(path, asked)).toMatchObject({ git: { root: path, branch: "side" } });
  });

  test("ignores git variables in the environment", async () => {
    using repository = openRepository();
    using other = openRepository();
    const misleading = { ...env, GIT_DIR: join(other.path, ".git"), GIT_WORK_TREE: other.path, GIT_CEILING_DIRECTORIES: "/" };
    expect(await describeDirectory(repository.path, { ...asked, env: misleading })).toMatchObject({ git: { root: repository.path } });
  });

  test("without a work tree has a reason instead of git facts", async () => {
    using repository = openRepository();
    const facts = await describeDirectory(join(repository.path, ".git"), asked);
    expect(facts).toMatchObject({ kind: "directory", git: null, gitReason: expect.stringContaining("work tree") });
  });

  test("with a corrupt configuration has a reason instead of git facts", async () => {
    using repository = openRepository();
    writeFileSync(join(repository.path, ".git", "config"), "[core\n");
    const facts = await describeDirectory(repository.path, asked);
    expect(facts).toMatchObject({ kind: "directory", git: null, gitReason: expect.stringContaining("bad config") });
  });
});

describe("unusable git", () => {
  test("is not an error when missing", async () => {
    using repository = openRepository();
    const facts = await describeDirectory(repository.path, { env: { PATH: "/nonexistent" } });
    expect(facts).toEqual({ kind: "directory", realPath: repository.path, git: null, gitReason: "git is not installed" });
  });

  test("is not an error when it hangs", async () => {
    using repository = openRepository();
    using bin = openFolder();
    bin.script("git", "exec sleep 30");
    const facts = await describeDirectory(repository.path, { env: { PATH: `${bin.path}:/usr/bin:/bin` }, timeoutMs: 300 });
    expect(facts).toMatchObject({ kind: "directory", git: null, gitReason: "git did not answer within 300 ms" });
  });
});
