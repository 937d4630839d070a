import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Workspaces, workspaces } from "../src/index.js";
import { openRepository, type Repository } from "./repository.js";
import { ENV, SESSION } from "./workspace-fixture.js";

const OF = { sessionId: SESSION };

/** A repository with files and one commit, and the git commands that were run for it. */
function open(files: Readonly<Record<string, string>> = { "a.txt": "a\n", "b/c.txt": "c\n" }) {
  const repository = openRepository();
  const bin = `${repository.path}-bin`;
  mkdirSync(bin);
  const log = join(bin, "log");
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(join(bin, "git"), `#!/bin/sh\necho "$*" >> '${log}'\nexec '${real}' "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(repository.path, name, ".."), { recursive: true });
    writeFileSync(join(repository.path, name), text);
  }
  repository.git("add", ".");
  repository.git("commit", "--quiet", "-m", "first");
  const spaces = workspaces({ home: bin, env: { ...ENV, PATH: `${bin}:${ENV.PATH}` }, lookMs: 60_000 });
  return {
    ...repository,
    spaces,
    snapshot: () => spaces.snapshot(repository.path),
    /** The files of a tree with their modes. */
    files: (tree: string) =>
      repository
        .git("ls-tree", "-r", tree)
        .trim()
        .split("\n")
        .map((line) => line.replace(/^(\d+) \w+ [0-9a-f]+\t/, "$1 ")),
    text: (tree: string, name: string) => repository.git("cat-file", "blob", `${tree}:${name}`),
    /** The git commands since the last call. */
    commands() {
      const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
      rmSync(log, { force: true });
      return lines.map(
        (line) => / (rev-parse|config|add|write-tree|mktree|update-ref|for-each-ref|ls-tree|status)\b/.exec(line)?.[1] ?? line,
      );
    },
    [Symbol.dispose]() {
      repository[Symbol.dispose]();
      rmSync(bin, { recursive: true, force: true });
    },
  };
}

/** Changes a file within the time that its index cannot distinguish, with equal size. */
function changeRacily(repository: Pick<Repository, "path" | "git">, name: string, text: string): void {
  const path = join(repository.path, name);
  const then = Math.floor(Date.now() / 1000) - 100;
  repository.git("config", "core.trustctime", "false");
  utimesSync(path, then, then);
  repository.git("add", name);
  writeFileSync(path, text);
  utimesSync(path, then, then);
  utimesSync(join(repository.path, ".git", "index"), then, then);
}

describe("snapshots of a work tree", { timeout: 120_000 }, () => {
  test("hold every kind of change, and leave index, refs and configuration as they are", async () => {
    using each = open({
      "a.txt": "a\n",
      "b/c.txt": "c\n",
      gone: "g\n",
      script: "s\n",
      link: "l\n",
      staged: "1\n",
      ".gitignore": "*.log\n",
    });
    writeFileSync(join(each.path, "forced.log"), "tracked\n");
    each.git("add", "--force", "forced.log");
    writeFileSync(join(each.path, "ignored.log"), "x\n");
    writeFileSync(join(each.path, "staged"), "2\n");
    each.git("add", "staged");
    writeFileSync(join(each.path, "staged"), "3\n");
    writeFileSync(join(each.path, "later"), "i\n");
    each.git("add", "--intent-to-add", "later");
    writeFileSync(join(each.path, "new\nname"), "n\n");
    rmSync(join(each.path, "gone"));
    chmodSync(join(each.path, "script"), 0o755);
    rmSync(join(each.path, "link"));
    symlinkSync("a.txt", join(each.path, "link"));
    writeFileSync(join(each.path, ".git", "index.lock"), "");
    const state = () => [".git/index", ".git/config", ".git/HEAD"].map((name) => readFileSync(join(each.path, name), "latin1"));
    const before = state();
    const tree = await each.snapshot();
    expect(each.files(tree)).toEqual([
      "100644 .gitignore",
      "100644 a.txt",
      "100644 b/c.txt",
      "100644 forced.log",
      "100644 later",
      "120000 link",
      '100644 "new\\nname"',
      "100755 script",
      "100644 staged",
    ]);
    expect(each.text(tree, "staged")).toBe("3\n");
    expect(each.text(tree, "later")).toBe("i\n");
    expect(state()).toEqual(before);
    expect(each.git("for-each-ref")).toMatch(/^\w+ commit\trefs\/heads\/main\n$/);
  });

  test("hold a file that was changed right after it was added", async () => {
    using each = open();
    changeRacily(each, "a.txt", "b\n");
    expect(each.text(await each.snapshot(), "a.txt")).toBe("b\n");
    const diff = { base: null, turn: null, paths: [], stat: false, exact: false, limit: 9, cursor: null, fork: null };
    const { files } = await each.spaces.diff({ ...diff, directory: each.path });
    expect(files.map(({ path }) => path)).toEqual(["a.txt"]);
  });

  test("run one git command while nothing changes", async () => {
    using each = open();
    const first = await each.snapshot();
    expect(each.commands()).toEqual(["rev-parse", "config", "add", "write-tree"]);
    expect(await each.snapshot()).toBe(first);
    expect(each.commands()).toEqual(["add"]);
    writeFileSync(join(each.path, "a.txt"), "changed\n");
    const second = await each.snapshot();
    expect(each.commands()).toEqual(["add", "write-tree"]);
    expect(each.text(second, "a.txt")).toBe("changed\n");
    writeFileSync(join(each.path, "a.txt"), "a\n");
    expect(await each.snapshot()).toBe(first);
  });

  test("do not run a filter that the repository configures later", async () => {
    using each = open({ "a.txt": "a\n", ".gitattributes": "* filter=x\n" });
    const ran = join(each.path, ".git", "ran");
    const program = each.script(".git/program", `echo ran >> '${ran}'; cat`);
    await each.snapshot();
    const named = (key: string) => each.git("config", "--file", key === "" ? ".git/config" : key, "filter.x.clean", program);
    named("");
    writeFileSync(join(each.path, "a.txt"), "b\n");
    await each.snapshot();
    each.git("config", "--unset", "filter.x.clean");
    each.git("config", "include.path", "more");
    writeFileSync(join(each.path, "a.txt"), "c\n");
    await each.snapshot();
    named(".git/more");
    writeFileSync(join(each.path, "a.txt"), "d\n");
    await each.snapshot();
    each.git("config", "--unset", "include.path");
    each.git("config", "extensions.worktreeConfig", "true");
    await each.snapshot();
    named(".git/config.worktree");
    writeFileSync(join(each.path, "a.txt"), "e\n");
    const tree = await each.snapshot();
    expect(each.text(tree, "a.txt")).toBe("e\n");
    expect(existsSync(ran)).toBe(false);
  });

  test("follow the repository that a work tree belongs to", async () => {
    using each = open();
    using other = open();
    const folder = (name: string) => join(each.path, "..", `${SESSION}-${name}`);
    const [mine, theirs] = [folder("mine"), folder("theirs")];
    try {
      each.git("worktree", "add", "--quiet", "--detach", mine);
      other.git("worktree", "add", "--quiet", "--detach", theirs);
      writeFileSync(join(theirs, "forced.log"), "tracked\n");
      other.git("-C", theirs, "add", "--force", "forced.log");
      writeFileSync(join(mine, ".gitignore"), "*.log\n");
      writeFileSync(join(mine, "forced.log"), "now\n");
      const here = await each.spaces.snapshot(mine);
      expect(each.files(here)).toEqual(["100644 .gitignore", "100644 a.txt", "100644 b/c.txt"]);
      writeFileSync(join(mine, ".git"), readFileSync(join(theirs, ".git")));
      const tree = await each.spaces.snapshot(mine);
      expect(other.files(tree)).toEqual(["100644 .gitignore", "100644 a.txt", "100644 b/c.txt", "100644 forced.log"]);
    } finally {
      for (const path of [mine, theirs]) rmSync(path, { recursive: true, force: true });
    }
  });
});

describe("trees of turns", { timeout: 120_000 }, () => {
  const refs = (each: Repository) => each.git("for-each-ref", "--format=%(refname)", "refs/tmpm").trim().split("\n");

  async function changed(spaces: Workspaces, { path, generation, runs = false }: { path: string; generation: number; runs?: boolean }) {
    const request = { base: null, paths: [], stat: true, exact: false, limit: 9, cursor: null, fork: null, directory: path };
    const { files } = await spaces.diff({ ...request, turn: { sessionId: SESSION, generation, runs } });
    return files.map((file) => file.path);
  }

  test("are kept from their start, and written by at most two git commands", async () => {
    using each = open();
    const keep = async (generation: number, edge: "start" | "end") =>
      each.spaces.keepTurnTree({ ...OF, directory: each.path, generation, edge, tree: await each.snapshot() });
    await keep(1, "start");
    writeFileSync(join(each.path, "one"), "1\n");
    each.git("gc", "--quiet", "--prune=now");
    expect(await changed(each.spaces, { path: each.path, generation: 1, runs: true })).toEqual(["one"]);
    await keep(1, "end");
    each.commands();
    await keep(2, "start");
    expect(each.commands()).toEqual(["add", "update-ref"]);
    writeFileSync(join(each.path, "two"), "2\n");
    await keep(2, "end");
    expect(each.commands()).toEqual(["add", "write-tree", "mktree", "update-ref"]);
    await keep(3, "start");
    expect(await changed(each.spaces, { path: each.path, generation: 1 })).toEqual(["one"]);
    expect(await changed(each.spaces, { path: each.path, generation: 2 })).toEqual(["two"]);
    expect(refs(each)).toEqual([`refs/tmpm/turns/${SESSION}`, `refs/tmpm/turns/${SESSION}.000000003`]);
    await each.spaces.dropTurnTrees({ directory: each.path, sessionId: SESSION });
    expect(refs(each)).toEqual([""]);
    await each.spaces.dropTurnTrees({ directory: each.path, sessionId: SESSION });
  });

  test("are left unchanged by a drop that git refuses, which a missing repository does not", async () => {
    using each = open();
    const of = { directory: each.path, sessionId: SESSION };
    await each.spaces.dropTurnTrees({ ...of, directory: join(each.path, "missing") });
    renameSync(join(each.path, ".git"), join(each.path, "moved"));
    await expect(each.spaces.dropTurnTrees(of)).rejects.toMatchObject({ code: "GIT_FAILED" });
  });

  test("are not lost between two writers, or with the objects of an earlier snapshot", async () => {
    using each = open();
    const second = workspaces({ home: each.path, env: ENV, lookMs: 60_000 });
    const keep = async (spaces: Workspaces, generation: number, edge: "start" | "end") =>
      spaces.keepTurnTree({ ...OF, directory: each.path, generation, edge, tree: await spaces.snapshot(each.path) });
    await keep(each.spaces, 1, "start");
    writeFileSync(join(each.path, "one"), "1\n");
    await keep(second, 1, "end");
    await keep(second, 2, "start");
    writeFileSync(join(each.path, "two"), "2\n");
    await keep(each.spaces, 2, "end");
    expect(await changed(second, { path: each.path, generation: 1 })).toEqual(["one"]);
    expect(await changed(second, { path: each.path, generation: 2 })).toEqual(["two"]);
    expect(refs(each)).toEqual([`refs/tmpm/turns/${SESSION}`]);
    await second.dropTurnTrees({ directory: each.path, sessionId: SESSION });
    each.git("gc", "--quiet", "--prune=now");
    await expect(keep(each.spaces, 3, "start")).rejects.toMatchObject({ code: "GIT_FAILED" });
    await keep(each.spaces, 3, "start");
    await keep(each.spaces, 3, "end");
    expect(await changed(second, { path: each.path, generation: 3 })).toEqual([]);
    expect(each.git("fsck", "--no-dangling")).toBe("");
  });

  test("are those of the last 200 turns", async () => {
    using each = open();
    const tree = await each.snapshot();
    for (const generation of [1, 2, 150, 201, 202])
      await each.spaces.keepTurnTree({ ...OF, directory: each.path, generation, edge: "end", tree });
    const kept = each.git("ls-tree", "--name-only", `refs/tmpm/turns/${SESSION}`).trim().split("\n");
    expect(kept).toEqual(["000000150.end", "000000201.end", "000000202.end"]);
  });
});
