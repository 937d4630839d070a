import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sample } from "./sample.js";
import { ENV, openFixture, SESSION, type WorkspaceFixture, write } from "./workspace-fixture.js";

/** Layouts of a repository; `build` returns the directory to start from. `place` is the source that the workspace reports. */
interface Layout {
  readonly layout: string;
  readonly build: (fixture: WorkspaceFixture) => string;
  readonly place?: (fixture: WorkspaceFixture) => string;
  readonly folder?: string;
}

const at = (name: string) => (fixture: WorkspaceFixture) => join(fixture.below, name);

const LAYOUTS: readonly Layout[] = [
  { layout: "a plain checkout", build: (fixture) => fixture.source.path },
  {
    layout: "a folder of a checkout",
    build: (fixture) => {
      write(join(fixture.source.path, "packages/api/index.ts"), "x");
      fixture.source.git("add", ".");
      fixture.source.git("commit", "--quiet", "-m", "packages");
      return join(fixture.source.path, "packages/api");
    },
    place: at("source"),
    folder: "packages/api",
  },
  { layout: "the git folder of a checkout", build: (fixture) => join(fixture.source.path, ".git"), place: at("source") },
  { layout: "a bare repository", build: at("origin.git") },
  {
    layout: "a folder of a bare repository",
    build: (fixture) => join(fixture.below, "origin.git", "refs"),
    place: at("origin.git"),
  },
  {
    layout: "a folder with a bare repository beside its work trees",
    build: (fixture) => {
      const folder = join(fixture.below, "proj");
      mkdirSync(folder);
      renameSync(join(fixture.below, "origin.git"), join(folder, ".bare"));
      writeFileSync(join(folder, ".git"), "gitdir: ./.bare\n");
      return folder;
    },
    place: at("proj"),
  },
  {
    layout: "a linked work tree",
    build: (fixture) => {
      fixture.source.git("worktree", "add", "--quiet", "-b", "side", join(fixture.below, "side"));
      return join(fixture.below, "side");
    },
  },
  {
    layout: "a checkout whose git folder is elsewhere",
    build: (fixture) => {
      fixture.source.git("init", "--quiet", "--separate-git-dir", join(fixture.below, "separate"));
      return fixture.source.path;
    },
  },
  {
    layout: "a checkout whose git folder is a symbolic link",
    build: (fixture) => {
      renameSync(join(fixture.source.path, ".git"), join(fixture.below, "linked"));
      symlinkSync(join(fixture.below, "linked"), join(fixture.source.path, ".git"));
      return fixture.source.path;
    },
  },
  {
    layout: "a submodule",
    build: (fixture) => {
      const outer = join(fixture.below, "outer");
      fixture.git(fixture.below, "init", "--quiet", outer);
      fixture.git(outer, "submodule", "--quiet", "add", join(fixture.below, "origin.git"), "inner");
      return join(outer, "inner");
    },
  },
  {
    layout: "a repository of SHA-256",
    build: (fixture) => {
      const path = join(fixture.below, "sha256");
      fixture.git(fixture.below, "init", "--quiet", "--object-format=sha256", path);
      write(join(path, "file.txt"), "one\n");
      fixture.git(path, "add", ".");
      fixture.git(path, "commit", "--quiet", "-m", "first");
      return path;
    },
  },
];

describe("worktree", () => {
  test.each(LAYOUTS)("of $layout is made, removed and restored", async ({ build, place, folder = "" }) => {
    using fixture = openFixture();
    const from = build(fixture);
    const workspace = await fixture.make("worktree", { from });
    expect(workspace).toMatchObject({
      source: place?.(fixture) ?? from,
      folder,
      base: fixture.git(workspace.path, "rev-parse", "HEAD").trim(),
    });
    expect(readFileSync(join(workspace.path, "file.txt"), "utf8")).toBe("one\n");
    expect(await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
    expect(await fixture.remove(workspace)).toMatchObject({ kind: "trashed", branch: { kind: "deleted" } });
    expect(await fixture.restore(workspace)).toMatchObject({ notes: [] });
    expect(fixture.git(workspace.path, "branch", "--show-current").trim()).toBe("tmpm/demo");
  });

  test.each(sample(LAYOUTS, 4))("is not needed to clone $layout", async ({ build, place, folder = "" }) => {
    using fixture = openFixture();
    const from = build(fixture);
    const workspace = await fixture.make("clone", { from });
    expect(workspace).toMatchObject({ source: place?.(fixture) ?? from, folder });
    expect(existsSync(join(workspace.path, "file.txt"))).toBe(true);
  });
});

/** Repositories that git refuses, and its message for each. */
const REFUSED = [
  {
    what: "is not a repository",
    build: (fixture: WorkspaceFixture) => fixture.home,
    message: /: not a git repository$/,
    hint: /Name a directory in a git repository/,
  },
  {
    what: "has no commit",
    build: (fixture: WorkspaceFixture) => {
      fixture.git(fixture.below, "init", "--quiet", "empty");
      return join(fixture.below, "empty");
    },
    message: /no commit yet/,
    hint: /commit --allow-empty/,
  },
  {
    what: "lost its repository",
    build: (fixture: WorkspaceFixture) => {
      fixture.source.git("worktree", "add", "--quiet", "-b", "side", join(fixture.below, "side"));
      renameSync(fixture.source.path, join(fixture.below, "moved"));
      return join(fixture.below, "side");
    },
    message: /not a git repository: .*\/source\/\.git\/worktrees\/side/,
    hint: /./,
  },
  {
    what: "has a damaged configuration",
    build: (fixture: WorkspaceFixture) => {
      writeFileSync(join(fixture.source.path, ".git", "config"), "[core\n");
      return fixture.source.path;
    },
    message: /bad config line 1/,
    hint: /./,
  },
] as const;

describe("directory that git rejects", () => {
  test.each(REFUSED)("because it $what is rejected with git's reason", async ({ build, message, hint }) => {
    using fixture = openFixture();
    const refused = { code: "REPOSITORY_NOT_FOUND", message: expect.stringMatching(message), hint: expect.stringMatching(hint) };
    await expect(fixture.make("worktree", { from: build(fixture) })).rejects.toMatchObject(refused);
  });

  test.skipIf(process.geteuid?.() !== 0)("because it belongs to another user is rejected with git's advice", async () => {
    using fixture = openFixture();
    for (const path of [fixture.source.path, join(fixture.source.path, ".git")]) chownSync(path, 65534, 65534);
    await expect(fixture.make("worktree")).rejects.toMatchObject({
      code: "REPOSITORY_NOT_FOUND",
      message: expect.stringContaining("dubious ownership"),
      hint: expect.stringContaining(`git config --global --add safe.directory ${fixture.source.path}`),
    });
  });

  test.each(["HEAD", "config", "commondir"])("because its %s is a pipe is rejected in time, naming the pipe", async (file) => {
    using fixture = openFixture({ lookMs: 1000 });
    const path = join(fixture.source.path, ".git", file);
    if (existsSync(path)) unlinkSync(path);
    execFileSync("mkfifo", [path], { env: ENV });
    await expect(fixture.make("worktree")).rejects.toMatchObject({
      code: "GIT_FAILED",
      effect: "none",
      message: expect.stringContaining(`${JSON.stringify(path)} is not a file`),
    });
  });
});

describe("workspace that differs from the source directory", () => {
  test("notes the uncommitted changes there", async () => {
    using fixture = openFixture();
    write(join(fixture.source.path, "file.txt"), "two\n");
    write(join(fixture.source.path, "new.txt"), "new\n");
    write(join(fixture.source.path, "new2.txt"), "new\n");
    const note = `not committed in ${fixture.source.path}, so not in the workspace: 1 changed file and 2 untracked`;
    expect(await fixture.make()).toMatchObject({ notes: [note] });
    expect(await fixture.make("clone", { name: "other", from: fixture.source.path })).toMatchObject({ notes: [note] });
  });

  test("notes a folder missing from its commit, and uses the nearest one that exists", async () => {
    using fixture = openFixture();
    write(join(fixture.source.path, "old/file"), "x");
    fixture.source.git("add", ".");
    fixture.source.git("commit", "--quiet", "-m", "old");
    mkdirSync(join(fixture.source.path, "old/new/newer"), { recursive: true });
    const workspace = await fixture.make("worktree", { from: join(fixture.source.path, "old/new/newer") });
    expect(workspace).toMatchObject({ folder: "old", notes: ["old/new/newer is not in this commit, so it works in old"] });
  });

  test("never works behind a symbolic link", async () => {
    using fixture = openFixture();
    symlinkSync("/etc", join(fixture.source.path, "below"));
    fixture.source.git("add", ".");
    fixture.source.git("commit", "--quiet", "-m", "link");
    unlinkSync(join(fixture.source.path, "below"));
    mkdirSync(join(fixture.source.path, "below"));
    expect(await fixture.make("worktree", { from: join(fixture.source.path, "below") })).toMatchObject({ folder: "" });
  });

  test("has the source's sparse checkout, and notes it", async () => {
    using fixture = openFixture();
    for (const folder of ["in", "out"]) write(join(fixture.source.path, folder, "file"), "x");
    fixture.source.git("add", ".");
    fixture.source.git("commit", "--quiet", "-m", "folders");
    fixture.source.git("sparse-checkout", "set", "--cone", "in");
    const workspace = await fixture.make();
    expect([existsSync(join(workspace.path, "in/file")), existsSync(join(workspace.path, "out/file"))]).toEqual([true, false]);
    expect(workspace.notes).toEqual([expect.stringContaining("it is sparse")]);
    expect(await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
  });
});

describe("submodules", () => {
  test.each(["worktree", "clone"] as const)("of a %s are filled from this machine, and are not unsaved work", async (kind) => {
    using fixture = openFixture();
    const { outer, middle } = nested(fixture);
    const workspace = await fixture.make(kind, { from: outer });
    expect(workspace.notes).toEqual([]);
    expect(readFileSync(join(workspace.path, "mid dle/inner/file.txt"), "utf8")).toBe("one\n");
    expect(fixture.git(workspace.path, "submodule", "status", "--recursive").trim()).toMatch(
      /^[0-9a-f]{40} mid dle .*\n [0-9a-f]{40} mid dle\/inner /,
    );
    expect(fixture.git(join(workspace.path, "mid dle"), "remote", "get-url", "origin").trim()).toBe(middle);
    expect(existsSync(join(workspace.path, "unused/file.txt"))).toBe(false);
    expect(fixture.git(workspace.path, "status", "--porcelain")).toBe("");
    expect(await fixture.remove(workspace)).toMatchObject({ kind: "trashed" });
  });

  test("with a missing commit stay empty, which is noted", async () => {
    using fixture = openFixture();
    const { outer } = nested(fixture);
    fixture.git(outer, "update-index", "--cacheinfo", `160000,${"1".repeat(40)},mid dle`);
    fixture.git(outer, "commit", "--quiet", "-m", "elsewhere");
    const { notes, path } = await fixture.make("worktree", { from: outer });
    expect(notes[0]).toMatch(/^submodule mid dle is empty: the commit 1{12} is not on this machine/);
    expect(existsSync(join(path, "mid dle/file.txt"))).toBe(false);
  });

  test("run no program configured in the repository", async () => {
    using fixture = openFixture();
    const { outer } = nested(fixture);
    const trap = join(fixture.below, "sprung");
    fixture.git(outer, "config", "submodule.mid dle.update", `!touch ${trap}`);
    for (const gitDir of [join(outer, ".git"), join(outer, ".git/modules/mid dle")]) {
      write(join(gitDir, "hooks/post-checkout"), `#!/bin/sh\ntouch ${trap}\n`);
      execFileSync("chmod", ["+x", join(gitDir, "hooks/post-checkout")], { env: ENV });
    }
    const workspace = await fixture.make("worktree", { from: outer });
    expect(existsSync(join(workspace.path, "mid dle/inner/file.txt"))).toBe(true);
    expect(existsSync(trap)).toBe(false);
  });
});

/** A repository with a nested submodule, and one that is not initialised. */
function nested(fixture: WorkspaceFixture): { readonly outer: string; readonly middle: string } {
  const inner = join(fixture.below, "origin.git");
  const middle = join(fixture.below, "middle");
  const work = join(fixture.below, "work");
  const outer = join(fixture.below, "outer");
  for (const [path, below] of [
    [middle, [[inner, "inner"]]],
    [
      work,
      [
        [middle, "mid dle"],
        [inner, "unused"],
      ],
    ],
  ] as const) {
    fixture.git(fixture.below, "init", "--quiet", "--template=", path);
    for (const [url, name] of below) fixture.git(path, "submodule", "--quiet", "add", url, name);
    fixture.git(path, "commit", "--quiet", "-m", "submodules");
  }
  fixture.git(fixture.below, "clone", "--quiet", "--template=", work, outer);
  fixture.git(outer, "submodule", "--quiet", "update", "--init", "--recursive", "--", "mid dle");
  return { outer, middle };
}
