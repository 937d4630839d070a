import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { BlockCode } from "../src/index.js";
import type { Bench } from "./finish-bench.js";
import { write } from "./workspace-fixture.js";

/** A state of the user's repository and of the work, and the expected result of a finish. */
export interface Row {
  readonly name: string;
  readonly arrange: (on: Bench) => void;
  /** `moved`: the branch contains the work. Codes: the reasons of the refusal. `failed`: git's own refusal. */
  readonly outcome: "moved" | "failed" | readonly BlockCode[];
  /** Git's name for the conflict. */
  readonly conflict?: RegExp;
  readonly also?: (on: Bench) => void;
}

const { TMPM_TEST_SCALE = "1" } = process.env;
const MANY_FILES = Number(TMPM_TEST_SCALE) >= 10 ? 10_000 : 500;

const main = (on: Bench) => on.fixture.source.path;
const git = (on: Bench, ...args: readonly string[]) => on.fixture.source.git(...args);
const inWork = (on: Bench, ...args: readonly string[]) => on.fixture.git(on.workspace.path, ...args);
/** Both sides start from here. */
const common = (on: Bench, arrange: (path: string) => void) => {
  arrange(main(on));
  git(on, "add", "--all");
  git(on, "commit", "--quiet", "-m", "common");
  inWork(on, "reset", "--quiet", "--hard", "main");
};
const commitAll = (on: Bench, path: string) => {
  on.fixture.git(path, "add", "--all");
  on.fixture.git(path, "commit", "--quiet", "-m", "a side");
};
/** The committed change of each side. */
const sides = (on: Bench, change: { readonly work: (path: string) => void; readonly theirs: (path: string) => void }) => {
  change.work(on.workspace.path);
  commitAll(on, on.workspace.path);
  change.theirs(main(on));
  commitAll(on, main(on));
};
const worked = (on: Bench) => on.work("a.txt", "a\n");
const gitlink = (on: Bench, path: string, digit: string) => {
  mkdirSync(join(path, "module"), { recursive: true });
  on.fixture.git(path, "update-index", "--add", "--cacheinfo", `160000,${digit.repeat(40)},module`);
  on.fixture.git(path, "commit", "--quiet", "-m", `module ${digit}`);
};
const script = (path: string, body: string) => {
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
};
const text = "line\n".repeat(20);

const TARGETS: readonly Row[] = [
  { name: "a clean checkout, behind the work", arrange: worked, outcome: "moved" },
  { name: "a clean checkout that has diverged from the work", arrange: (on) => [worked(on), on.theirs("c.txt", "c\n")], outcome: "moved" },
  {
    name: "a checkout with staged, changed and untracked files",
    arrange(on) {
      worked(on);
      write(join(main(on), "file.txt"), "dirty\n");
      write(join(main(on), "staged.txt"), "s\n");
      git(on, "add", "staged.txt");
      write(join(main(on), "untracked.txt"), "u\n");
    },
    outcome: ["checkout_dirty"],
  },
  {
    name: "a checkout with untracked and ignored files and a stash",
    arrange(on) {
      worked(on);
      write(join(main(on), "file.txt"), "stashed\n");
      git(on, "stash", "--quiet");
      write(join(main(on), "untracked.txt"), "u\n");
      write(join(main(on), "ignored", "x"), "i\n");
    },
    outcome: "moved",
  },
  {
    name: "an untracked file in the way",
    arrange: (on) => [worked(on), write(join(main(on), "a.txt"), "mine\n")],
    outcome: ["checkout_in_the_way"],
  },
  {
    name: "a branch that is checked out nowhere",
    arrange: (on) => [worked(on), git(on, "checkout", "--quiet", "-b", "side")],
    outcome: "moved",
  },
  {
    name: "a checkout in another work tree",
    arrange(on) {
      worked(on);
      git(on, "checkout", "--quiet", "-b", "side");
      git(on, "worktree", "add", "--quiet", join(on.fixture.below, "other"), "main");
    },
    outcome: "moved",
    also: (on) => expect(readFileSync(join(on.fixture.below, "other", "a.txt"), "utf8")).toBe("a\n"),
  },
  {
    name: "a branch that a hook protects",
    arrange(on) {
      worked(on);
      mkdirSync(join(main(on), ".git", "hooks"), { recursive: true });
      script(join(main(on), ".git", "hooks", "reference-transaction"), '[ "$1" != prepared ] || ! grep -q refs/heads/main');
    },
    outcome: "failed",
  },
  {
    name: "a branch behind its remote",
    arrange(on) {
      on.theirs("c.txt", "c\n");
      git(on, "push", "--quiet", "origin", "main");
      git(on, "reset", "--quiet", "--hard", "HEAD~1");
      worked(on);
    },
    outcome: "moved",
  },
  {
    name: "a branch that has diverged from its remote",
    arrange(on) {
      on.theirs("c.txt", "c\n");
      git(on, "push", "--quiet", "origin", "main");
      git(on, "reset", "--quiet", "--hard", "HEAD~1");
      on.theirs("d.txt", "d\n");
      worked(on);
    },
    outcome: "moved",
  },
  {
    name: "a merge of the user's that has stopped",
    arrange(on) {
      worked(on);
      git(on, "checkout", "--quiet", "-b", "side");
      on.theirs("file.txt", "side\n");
      git(on, "checkout", "--quiet", "main");
      on.theirs("file.txt", "main\n");
      expect(() => git(on, "merge", "--quiet", "side")).toThrow();
    },
    outcome: ["target_busy"],
  },
  {
    name: "a rebase of the user's that has stopped",
    arrange(on) {
      worked(on);
      git(on, "checkout", "--quiet", "-b", "side");
      on.theirs("file.txt", "side\n");
      git(on, "checkout", "--quiet", "main");
      on.theirs("file.txt", "main\n");
      expect(() => git(on, "rebase", "--quiet", "side")).toThrow();
    },
    outcome: ["target_busy"],
  },
  {
    name: "a HEAD of the user's that is detached",
    arrange: (on) => [worked(on), git(on, "checkout", "--quiet", "--detach")],
    outcome: "moved",
  },
  {
    name: "a HEAD of the work that is detached",
    arrange: (on) => [inWork(on, "checkout", "--quiet", "--detach"), worked(on)],
    outcome: "moved",
  },
];

const CONFLICTS: readonly Row[] = [
  {
    name: "contents",
    arrange: (on) => [on.work("file.txt", "ours\n"), on.theirs("file.txt", "theirs\n")],
    outcome: ["conflicts"],
    conflict: /^contents$/,
  },
  {
    name: "rename and rename",
    arrange(on) {
      common(on, (path) => write(join(path, "old.txt"), text));
      const to = (name: string) => (path: string) => renameSync(join(path, "old.txt"), join(path, name));
      sides(on, { work: to("ours.txt"), theirs: to("theirs.txt") });
    },
    outcome: ["conflicts"],
    conflict: /rename\/rename/,
  },
  {
    name: "delete and modify",
    arrange: (on) =>
      sides(on, { work: (path) => unlinkSync(join(path, "file.txt")), theirs: (path) => write(join(path, "file.txt"), "x\n") }),
    outcome: ["conflicts"],
    conflict: /modify\/delete/,
  },
  {
    name: "binary files",
    arrange(on) {
      const bytes =
        (...each: number[]) =>
        (path: string) =>
          writeFileSync(join(path, "picture.bin"), Buffer.from(each));
      common(on, bytes(0, 1));
      sides(on, { work: bytes(0, 2), theirs: bytes(0, 3) });
    },
    outcome: ["conflicts"],
    conflict: /binary|contents/,
  },
  {
    name: "submodules",
    arrange(on) {
      gitlink(on, main(on), "1");
      inWork(on, "reset", "--quiet", "--hard", "main");
      gitlink(on, on.workspace.path, "2");
      gitlink(on, main(on), "3");
    },
    outcome: ["conflicts"],
    conflict: /submodule/,
  },
  {
    name: "modes of a file that both added",
    arrange(on) {
      sides(on, {
        work: (path) => script(join(path, "run"), "true"),
        theirs: (path) => [script(join(path, "run"), "true"), chmodSync(join(path, "run"), 0o644)],
      });
    },
    outcome: ["conflicts"],
    conflict: /./,
  },
  {
    name: "a link and a file",
    arrange: (on) =>
      sides(on, { work: (path) => symlinkSync("x", join(path, "both")), theirs: (path) => write(join(path, "both"), "file\n") }),
    outcome: ["conflicts"],
    conflict: /distinct types|add\/add|distinct modes/,
  },
  {
    name: "targets of a link",
    arrange(on) {
      const to = (target: string) => (path: string) => [
        rmSync(join(path, "link"), { force: true }),
        symlinkSync(target, join(path, "link")),
      ];
      common(on, to("a"));
      sides(on, { work: to("b"), theirs: to("c") });
    },
    outcome: ["conflicts"],
    conflict: /contents/,
  },
  {
    name: "a mode here and contents there, which git merges",
    arrange: (on) =>
      sides(on, { work: (path) => chmodSync(join(path, "file.txt"), 0o755), theirs: (path) => write(join(path, "file.txt"), "x\n") }),
    outcome: "moved",
    also: (on) => expect(git(on, "ls-tree", "main", "file.txt")).toMatch(/^100755 /),
  },
  {
    name: "names that differ in case alone, where the file system distinguishes them",
    arrange: (on) =>
      sides(on, { work: (path) => write(join(path, "Readme"), "w\n"), theirs: (path) => write(join(path, "README"), "t\n") }),
    outcome: "moved",
    also: (on) => expect(["Readme", "README"].map((name) => readFileSync(join(main(on), name), "utf8"))).toEqual(["w\n", "t\n"]),
  },
];

const REPOSITORIES: readonly Row[] = [
  {
    name: "a shallow clone",
    arrange(on) {
      on.theirs("c.txt", "c\n");
      inWork(on, "reset", "--quiet", "--hard", "main");
      writeFileSync(join(main(on), ".git", "shallow"), `${on.main()}\n`);
      worked(on);
      on.theirs("d.txt", "d\n");
    },
    outcome: "moved",
  },
  {
    name: "a shallow clone that ends before the two meet",
    arrange(on) {
      worked(on);
      on.theirs("c.txt", "c\n");
      writeFileSync(join(main(on), ".git", "shallow"), `${on.main()}\n`);
    },
    outcome: "failed",
  },
  {
    name: "a sparse checkout of the user's, and work outside of it",
    arrange(on) {
      common(on, (path) => [write(join(path, "in", "a"), "a\n"), write(join(path, "out", "b"), "b\n")]);
      git(on, "sparse-checkout", "set", "in");
      on.work("out/b", "changed\n");
      on.work("out/new", "new\n");
    },
    outcome: "moved",
    also: (on) => expect(() => readFileSync(join(main(on), "out", "b"))).toThrow("ENOENT"),
  },
  {
    name: "a configuration of each work tree's own",
    arrange(on) {
      git(on, "config", "extensions.worktreeConfig", "true");
      git(on, "config", "--worktree", "user.name", "Main");
      inWork(on, "config", "--worktree", "user.name", "Worker");
      worked(on);
      on.theirs("c.txt", "c\n");
    },
    outcome: "moved",
  },
  {
    name: "commits that are signed",
    arrange(on) {
      const key = join(on.fixture.below, "key");
      execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "demo", "-f", key]);
      writeFileSync(join(on.fixture.below, "signers"), `demo@example.com ${readFileSync(`${key}.pub`, "utf8")}`);
      for (const [name, value] of [
        ["gpg.format", "ssh"],
        ["user.signingKey", key],
        ["gpg.ssh.allowedSignersFile", join(on.fixture.below, "signers")],
        ["commit.gpgSign", "true"],
      ] as const)
        git(on, "config", name, value);
      worked(on);
      on.theirs("c.txt", "c\n");
    },
    outcome: "moved",
    also: (on) => expect(git(on, "log", "-1", "--format=%G?", "main").trim()).toBe("G"),
  },
  {
    name: "a key that cannot sign",
    arrange(on) {
      worked(on);
      on.theirs("c.txt", "c\n");
      for (const [name, value] of [
        ["gpg.format", "ssh"],
        ["user.signingKey", join(on.fixture.below, "missing")],
        ["commit.gpgSign", "true"],
      ] as const)
        git(on, "config", name, value);
    },
    outcome: "failed",
  },
  {
    name: "files that a filter keeps outside of git, as git-lfs does",
    arrange(on) {
      script(join(on.fixture.below, "clean"), "echo version https://git-lfs.github.com/spec/v1; echo oid $(sha1sum | cut -c1-40)");
      script(join(on.fixture.below, "smudge"), "cat > /dev/null; echo large");
      git(on, "config", "filter.lfs.clean", join(on.fixture.below, "clean"));
      git(on, "config", "filter.lfs.smudge", join(on.fixture.below, "smudge"));
      git(on, "config", "filter.lfs.required", "true");
      common(on, (path) => [write(join(path, ".gitattributes"), "*.dat filter=lfs -text\n"), write(join(path, "x.dat"), "large\n")]);
      on.work("y.dat", "large\n");
      on.theirs("c.txt", "c\n");
    },
    outcome: "moved",
    also(on) {
      expect(git(on, "cat-file", "blob", "main:y.dat")).toContain("version https://git-lfs");
      expect(readFileSync(join(main(on), "y.dat"), "utf8")).toBe("large\n");
    },
  },
  {
    name: "many files",
    arrange(on) {
      common(on, (path) => {
        for (let n = 0; n < MANY_FILES; n++) write(join(path, `d${n % 50}`, `f${n}`), `${n}\n`);
      });
      for (let n = 0; n < MANY_FILES; n += 2) write(join(on.workspace.path, `d${n % 50}`, `f${n}`), `changed ${n}\n`);
      commitAll(on, on.workspace.path);
      on.theirs("c.txt", "c\n");
    },
    outcome: "moved",
  },
  {
    name: "names with newlines and bytes that are not UTF-8",
    arrange(on) {
      const odd = (path: string, name: string) => Buffer.from(`${path}/${name}`, "latin1");
      common(on, (path) => writeFileSync(odd(path, "caf\xe9\nold"), "1\n"));
      writeFileSync(odd(on.workspace.path, "caf\xe9\nold"), "2\n");
      writeFileSync(odd(on.workspace.path, '\xff"\t\\'), "new\n");
      commitAll(on, on.workspace.path);
      on.theirs("c.txt", "c\n");
    },
    outcome: "moved",
    also: (on) => expect(readFileSync(Buffer.from(`${main(on)}/caf\xe9\nold`, "latin1"), "utf8")).toBe("2\n"),
  },
  {
    name: "a commit-msg hook that refuses",
    arrange(on) {
      worked(on);
      on.theirs("c.txt", "c\n");
      mkdirSync(join(main(on), ".git", "hooks"), { recursive: true });
      script(join(main(on), ".git", "hooks", "commit-msg"), "exit 1");
    },
    outcome: "failed",
  },
];

export const ROWS: Readonly<Record<string, readonly Row[]>> = { target: TARGETS, conflict: CONFLICTS, repository: REPOSITORIES };
