import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ENV, openLab, SESSION, type WorkspaceLab, write } from "./workspace-lab.js";

/** Where a repository is, however it is laid out; `build` returns the directory that is asked from. `place` is what the workspace says it was made from. */
interface Layout {
  readonly layout: string;
  readonly build: (lab: WorkspaceLab) => string;
  readonly place?: (lab: WorkspaceLab) => string;
  readonly folder?: string;
}

const at = (name: string) => (lab: WorkspaceLab) => join(lab.below, name);

const LAYOUTS: readonly Layout[] = [
  { layout: "a plain checkout", build: (lab) => lab.source.path },
  {
    layout: "a folder of a checkout",
    build: (lab) => {
      write(join(lab.source.path, "packages/api/index.ts"), "x");
      lab.source.git("add", ".");
      lab.source.git("commit", "--quiet", "-m", "packages");
      return join(lab.source.path, "packages/api");
    },
    place: at("source"),
    folder: "packages/api",
  },
  { layout: "the git folder of a checkout", build: (lab) => join(lab.source.path, ".git"), place: at("source") },
  { layout: "a bare repository", build: at("origin.git") },
  {
    layout: "a folder of a bare repository",
    build: (lab) => join(lab.below, "origin.git", "refs"),
    place: at("origin.git"),
  },
  {
    layout: "a folder with a bare repository beside its work trees",
    build: (lab) => {
      const folder = join(lab.below, "proj");
      mkdirSync(folder);
      renameSync(join(lab.below, "origin.git"), join(folder, ".bare"));
      writeFileSync(join(folder, ".git"), "gitdir: ./.bare\n");
      return folder;
    },
    place: at("proj"),
  },
  {
    layout: "a linked work tree",
    build: (lab) => {
      lab.source.git("worktree", "add", "--quiet", "-b", "side", join(lab.below, "side"));
      return join(lab.below, "side");
    },
  },
  {
    layout: "a checkout whose git folder is elsewhere",
    build: (lab) => {
      lab.source.git("init", "--quiet", "--separate-git-dir", join(lab.below, "separate"));
      return lab.source.path;
    },
  },
  {
    layout: "a checkout whose git folder is a symbolic link",
    build: (lab) => {
      renameSync(join(lab.source.path, ".git"), join(lab.below, "linked"));
      symlinkSync(join(lab.below, "linked"), join(lab.source.path, ".git"));
      return lab.source.path;
    },
  },
  {
    layout: "a submodule",
    build: (lab) => {
      const outer = join(lab.below, "outer");
      lab.git(lab.below, "init", "--quiet", outer);
      lab.git(outer, "submodule", "--quiet", "add", join(lab.below, "origin.git"), "inner");
      return join(outer, "inner");
    },
  },
  {
    layout: "a repository of SHA-256",
    build: (lab) => {
      const path = join(lab.below, "sha256");
      lab.git(lab.below, "init", "--quiet", "--object-format=sha256", path);
      write(join(path, "file.txt"), "one\n");
      lab.git(path, "add", ".");
      lab.git(path, "commit", "--quiet", "-m", "first");
      return path;
    },
  },
];

describe("a worktree", () => {
  test.each(LAYOUTS)("of $layout is made, removed and brought back", async ({ build, place, folder = "" }) => {
    using lab = openLab();
    const from = build(lab);
    const workspace = await lab.make("worktree", { from });
    expect(workspace).toMatchObject({ source: place?.(lab) ?? from, folder, base: lab.git(workspace.path, "rev-parse", "HEAD").trim() });
    expect(readFileSync(join(workspace.path, "file.txt"), "utf8")).toBe("one\n");
    expect(await lab.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
    expect(await lab.remove(workspace)).toMatchObject({ kind: "trashed", branch: { kind: "deleted" } });
    expect(await lab.restore(workspace)).toMatchObject({ notes: [] });
    expect(lab.git(workspace.path, "branch", "--show-current").trim()).toBe("tmpm/demo");
  });

  test.each(LAYOUTS)("is not needed for a clone of $layout", async ({ build, place, folder = "" }) => {
    using lab = openLab();
    const from = build(lab);
    const workspace = await lab.make("clone", { from });
    expect(workspace).toMatchObject({ source: place?.(lab) ?? from, folder });
    expect(existsSync(join(workspace.path, "file.txt"))).toBe(true);
  });
});

/** Repositories that git refuses, and what it says about each. */
const REFUSED = [
  {
    what: "is not a repository",
    build: (lab: WorkspaceLab) => lab.home,
    message: /: not a git repository$/,
    hint: /Name a directory in a git repository/,
  },
  {
    what: "has no commit",
    build: (lab: WorkspaceLab) => {
      lab.git(lab.below, "init", "--quiet", "empty");
      return join(lab.below, "empty");
    },
    message: /no commit yet/,
    hint: /commit --allow-empty/,
  },
  {
    what: "lost its repository",
    build: (lab: WorkspaceLab) => {
      lab.source.git("worktree", "add", "--quiet", "-b", "side", join(lab.below, "side"));
      renameSync(lab.source.path, join(lab.below, "moved"));
      return join(lab.below, "side");
    },
    message: /not a git repository: .*\/source\/\.git\/worktrees\/side/,
    hint: /./,
  },
  {
    what: "has a damaged configuration",
    build: (lab: WorkspaceLab) => {
      writeFileSync(join(lab.source.path, ".git", "config"), "[core\n");
      return lab.source.path;
    },
    message: /bad config line 1/,
    hint: /./,
  },
] as const;

describe("a directory that git refuses", () => {
  test.each(REFUSED)("because it $what is refused with git's reason", async ({ build, message, hint }) => {
    using lab = openLab();
    const refused = { code: "REPOSITORY_NOT_FOUND", message: expect.stringMatching(message), hint: expect.stringMatching(hint) };
    await expect(lab.make("worktree", { from: build(lab) })).rejects.toMatchObject(refused);
  });

  test.skipIf(process.geteuid?.() !== 0)("because it belongs to another user is refused with git's advice", async () => {
    using lab = openLab();
    for (const path of [lab.source.path, join(lab.source.path, ".git")]) chownSync(path, 65534, 65534);
    await expect(lab.make("worktree")).rejects.toMatchObject({
      code: "REPOSITORY_NOT_FOUND",
      message: expect.stringContaining("dubious ownership"),
      hint: expect.stringContaining(`git config --global --add safe.directory ${lab.source.path}`),
    });
  });

  test.each(["HEAD", "config", "commondir"])("because its %s is a pipe is refused in time, and the pipe named", async (file) => {
    using lab = openLab({ lookMs: 1000 });
    const path = join(lab.source.path, ".git", file);
    if (existsSync(path)) unlinkSync(path);
    execFileSync("mkfifo", [path], { env: ENV });
    await expect(lab.make("worktree")).rejects.toMatchObject({
      code: "GIT_FAILED",
      effect: "none",
      message: expect.stringContaining(`${JSON.stringify(path)} is not a file`),
    });
  });
});

describe("a workspace that differs from where it was asked for", () => {
  test("says what was not committed there", async () => {
    using lab = openLab();
    write(join(lab.source.path, "file.txt"), "two\n");
    write(join(lab.source.path, "new.txt"), "new\n");
    write(join(lab.source.path, "new2.txt"), "new\n");
    const note = `not committed in ${lab.source.path}, so not in the workspace: 1 changed file and 2 untracked`;
    expect(await lab.make()).toMatchObject({ notes: [note] });
    expect(await lab.make("clone", { name: "other", from: lab.source.path })).toMatchObject({ notes: [note] });
  });

  test("says that the folder is not in its commit, and works in what there is of it", async () => {
    using lab = openLab();
    write(join(lab.source.path, "old/file"), "x");
    lab.source.git("add", ".");
    lab.source.git("commit", "--quiet", "-m", "old");
    mkdirSync(join(lab.source.path, "old/new/newer"), { recursive: true });
    const workspace = await lab.make("worktree", { from: join(lab.source.path, "old/new/newer") });
    expect(workspace).toMatchObject({ folder: "old", notes: ["old/new/newer is not in this commit, so it works in old"] });
  });

  test("never works behind a symbolic link", async () => {
    using lab = openLab();
    symlinkSync("/etc", join(lab.source.path, "below"));
    lab.source.git("add", ".");
    lab.source.git("commit", "--quiet", "-m", "link");
    unlinkSync(join(lab.source.path, "below"));
    mkdirSync(join(lab.source.path, "below"));
    expect(await lab.make("worktree", { from: join(lab.source.path, "below") })).toMatchObject({ folder: "" });
  });

  test("has the sparse checkout of the work tree that it was made from, and says so", async () => {
    using lab = openLab();
    for (const folder of ["in", "out"]) write(join(lab.source.path, folder, "file"), "x");
    lab.source.git("add", ".");
    lab.source.git("commit", "--quiet", "-m", "folders");
    lab.source.git("sparse-checkout", "set", "--cone", "in");
    const workspace = await lab.make();
    expect([existsSync(join(workspace.path, "in/file")), existsSync(join(workspace.path, "out/file"))]).toEqual([true, false]);
    expect(workspace.notes).toEqual([expect.stringContaining("it is sparse")]);
    expect(await lab.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
  });
});

describe("submodules", () => {
  test.each(["worktree", "clone"] as const)("of a %s are filled from what is on this machine, and are not unsaved work", async (kind) => {
    using lab = openLab();
    const { outer, middle } = nested(lab);
    const workspace = await lab.make(kind, { from: outer });
    expect(workspace.notes).toEqual([]);
    expect(readFileSync(join(workspace.path, "mid dle/inner/file.txt"), "utf8")).toBe("one\n");
    expect(lab.git(workspace.path, "submodule", "status", "--recursive").trim()).toMatch(
      /^[0-9a-f]{40} mid dle .*\n [0-9a-f]{40} mid dle\/inner /,
    );
    expect(lab.git(join(workspace.path, "mid dle"), "remote", "get-url", "origin").trim()).toBe(middle);
    expect(existsSync(join(workspace.path, "unused/file.txt"))).toBe(false);
    expect(lab.git(workspace.path, "status", "--porcelain")).toBe("");
    expect(await lab.remove(workspace)).toMatchObject({ kind: "trashed" });
  });

  test("whose commit is not here stay empty, which is said", async () => {
    using lab = openLab();
    const { outer } = nested(lab);
    lab.git(outer, "update-index", "--cacheinfo", `160000,${"1".repeat(40)},mid dle`);
    lab.git(outer, "commit", "--quiet", "-m", "elsewhere");
    const { notes, path } = await lab.make("worktree", { from: outer });
    expect(notes[0]).toMatch(/^submodule mid dle is empty: the commit 1{12} is not on this machine/);
    expect(existsSync(join(path, "mid dle/file.txt"))).toBe(false);
  });

  test("run nothing of the repository's", async () => {
    using lab = openLab();
    const { outer } = nested(lab);
    const trap = join(lab.below, "sprung");
    lab.git(outer, "config", "submodule.mid dle.update", `!touch ${trap}`);
    for (const gitDir of [join(outer, ".git"), join(outer, ".git/modules/mid dle")]) {
      write(join(gitDir, "hooks/post-checkout"), `#!/bin/sh\ntouch ${trap}\n`);
      execFileSync("chmod", ["+x", join(gitDir, "hooks/post-checkout")], { env: ENV });
    }
    const workspace = await lab.make("worktree", { from: outer });
    expect(existsSync(join(workspace.path, "mid dle/inner/file.txt"))).toBe(true);
    expect(existsSync(trap)).toBe(false);
  });
});

/** A repository with a submodule that has one, too, and one that is not initialised. */
function nested(lab: WorkspaceLab): { readonly outer: string; readonly middle: string } {
  const inner = join(lab.below, "origin.git");
  const middle = join(lab.below, "middle");
  const work = join(lab.below, "work");
  const outer = join(lab.below, "outer");
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
    lab.git(lab.below, "init", "--quiet", "--template=", path);
    for (const [url, name] of below) lab.git(path, "submodule", "--quiet", "add", url, name);
    lab.git(path, "commit", "--quiet", "-m", "submodules");
  }
  lab.git(lab.below, "clone", "--quiet", "--template=", work, outer);
  lab.git(outer, "submodule", "--quiet", "update", "--init", "--recursive", "--", "mid dle");
  return { outer, middle };
}
