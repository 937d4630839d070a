import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeDirectory, git } from "../src/index.js";
import { madeOnce } from "./made-once.js";
import { gitIn, openCopy, openFolder, type Repository } from "./repository.js";

/** Waits for a loaded machine. */
const asked = { env: { PATH: process.env.PATH, HOME: "/nonexistent" }, timeoutMs: 60_000 };

/** Commands that the daemon runs in directories that it does not trust. */
const COMMANDS = [
  ["status", "--porcelain"],
  ["diff", "HEAD"],
  ["log", "-p", "-1"],
  ["show", "HEAD"],
  ["branch", "--list"],
  ["ls-files", "--others"],
  ["worktree", "list", "--porcelain"],
].map((args) => ({ args, line: args.join(" ") }));

describe("repository that configures programs", () => {
  test("runs none when its directory is described", async () => {
    using trap = openTrap();
    const facts = await describeDirectory(trap.repository.path, asked);
    expect(facts).toMatchObject({ git: { root: trap.repository.path, branch: "main" } });
    expect(trap.sprung()).toEqual([]);
  });

  test.each(COMMANDS)("runs none for `git $line`", async ({ args }) => {
    using trap = openTrap();
    expect(await git(args, { ...asked, directory: trap.repository.path })).toMatchObject({ exitCode: 0 });
    expect(trap.sprung()).toEqual([]);
  });

  test("runs none when a work tree is added and a branch checked out", async () => {
    using trap = openTrap();
    using other = openFolder();
    const added = await git(["worktree", "add", "-b", "side", "--", join(other.path, "tree")], {
      ...asked,
      directory: trap.repository.path,
    });
    expect(added).toMatchObject({ exitCode: 0 });
    expect(trap.sprung()).toEqual([]);
  });

  test("would run them under plain git, so that these tests can fail", () => {
    using trap = openTrap();
    trap.repository.git("status", "--porcelain");
    trap.repository.git("diff", "HEAD");
    trap.repository.git("show", "HEAD");
    trap.repository.git("checkout", "--quiet", "-b", "side");
    expect(trap.sprung()).toEqual(expect.arrayContaining(["diff-external", "fsmonitor", "post-checkout", "textconv"]));
  });
});

interface Trap {
  readonly repository: Repository;
  /** The programs of the repository that have run. */
  sprung(): readonly string[];
  [Symbol.dispose](): void;
}

const changedOnce = madeOnce((path) => {
  gitIn(path, ["init", "--quiet", "--template="]);
  writeFileSync(join(path, "file.txt"), "one\n");
  writeFileSync(join(path, ".gitattributes"), "*.txt diff=evil\n");
  gitIn(path, ["add", "."]);
  gitIn(path, ["commit", "--quiet", "-m", "first"]);
  writeFileSync(join(path, "file.txt"), "two\n");
  mkdirSync(join(path, ".git", "hooks"));
});

function openTrap(): Trap {
  const repository = openCopy(changedOnce());
  const canaries = openFolder();
  const program = (name: string) => repository.script(`.git/${name}`, `touch '${join(canaries.path, name)}'`);
  for (const hook of ["post-checkout", "post-index-change", "reference-transaction", "pre-commit"]) {
    repository.script(`.git/hooks/${hook}`, `touch '${join(canaries.path, hook)}'`);
  }
  appendFileSync(join(repository.path, ".git", "config"), hostileConfig(program));
  return {
    repository,
    sprung: () => readdirSync(canaries.path).sort(),
    [Symbol.dispose]() {
      repository[Symbol.dispose]();
      canaries[Symbol.dispose]();
    },
  };
}

function hostileConfig(program: (name: string) => string): string {
  return `
[core]
  fsmonitor = ${program("fsmonitor")}
  pager = ${program("pager")}
  editor = ${program("editor")}
  sshCommand = ${program("ssh")}
  askPass = ${program("askpass")}
[diff]
  external = ${program("diff-external")}
[diff "evil"]
  textconv = ${program("textconv")}
[gpg]
  program = ${program("gpg")}
[credential]
  helper = ${program("credential")}
[alias]
  st = "!${program("alias")}"
[remote "origin"]
  url = "ext::sh -c ${program("ext")}"
`;
}
