import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MergeHow } from "../src/index.js";
import { bench, sound, users } from "./finish-bench.js";
import { sample } from "./sample.js";
import { treeHash, write } from "./workspace-fixture.js";

const HOWS: readonly MergeHow[] = ["merge", "squash", "rebase"];

describe.each(HOWS)("finishing by %s", { timeout: 240_000 }, (how) => {
  test("moves the branch and its clean checkout, and leaves the workspace unchanged", async () => {
    using on = await bench();
    on.work("a.txt", "a\n");
    on.work("b.txt", "b\n");
    on.theirs("c.txt", "c\n");
    write(join(on.fixture.source.path, "untracked.txt"), "mine\n");
    const before = treeHash(on.workspace.path);
    const to = await on.finish(how);
    expect(on.main()).toBe(to);
    expect(on.fixture.source.git("status", "--porcelain")).toBe("?? untracked.txt\n");
    expect(["a.txt", "b.txt", "c.txt"].map((name) => readFileSync(join(on.fixture.source.path, name), "utf8"))).toEqual([
      "a\n",
      "b\n",
      "c\n",
    ]);
    expect(treeHash(on.workspace.path)).toBe(before);
    const parents = on.fixture.source.git("rev-list", "--parents", "-1", "main").trim().split(" ").length - 1;
    expect(parents).toBe(how === "merge" ? 2 : 1);
    expect(on.fixture.source.git("rev-list", "--count", "main").trim()).toBe({ merge: "5", squash: "3", rebase: "4" }[how]);
    if (how === "rebase") expect(on.fixture.source.git("log", "-2", "--format=%s %an")).toBe("change b.txt Demo\nchange a.txt Demo\n");
    sound(on.fixture);
  });

  test("needs no checkout of the branch", async () => {
    using on = await bench();
    on.fixture.source.git("checkout", "--quiet", "-b", "elsewhere");
    on.work("a.txt", "a\n");
    const { index, files, stash, head } = users(on.fixture);
    await on.finish(how);
    expect(on.fixture.source.git("ls-tree", "--name-only", "main")).toContain("a.txt");
    expect(users(on.fixture)).toMatchObject({ index, files, stash, head });
    sound(on.fixture);
  });

  test("does nothing when the branch already has the work", async () => {
    using on = await bench();
    on.work("a.txt", "a\n");
    on.fixture.source.git("merge", "--quiet", "--no-ff", "-m", "by hand", "tmpm/demo");
    const before = users(on.fixture);
    expect((await on.fixture.spaces.previewFinish(on.request(how))).result).toBe("already");
    expect(await on.finish(how)).toBe(on.main());
    expect(users(on.fixture)).toEqual(before);
  });
});

describe.each(sample(HOWS, 3))("finishing by %s", { timeout: 240_000 }, (how) => {
  test("is blocked by a dirty checkout, files in its way, a hook or a rebase in progress, and changes nothing", async () => {
    using on = await bench();
    const { path } = on.fixture.source;
    on.theirs("theirs.txt", "1\n");
    on.work("a.txt", "a\n");
    const refused = async (code: string) => {
      const before = users(on.fixture);
      const work = treeHash(on.workspace.path);
      await expect(on.finish(how)).rejects.toMatchObject({ code: "FINISH_REFUSED", details: { blocks: [{ code }] } });
      expect(users(on.fixture)).toEqual(before);
      expect(treeHash(on.workspace.path)).toBe(work);
    };
    write(join(path, "file.txt"), "dirty\n");
    await refused("checkout_dirty");
    on.fixture.source.git("add", "file.txt");
    await refused("checkout_dirty");
    on.fixture.source.git("stash", "--quiet");
    write(join(path, "a.txt"), "in the way\n");
    await refused("checkout_in_the_way");
    unlinkSync(join(path, "a.txt"));
    on.fixture.source.git("checkout", "--quiet", "-b", "side", "main~1");
    on.theirs("theirs.txt", "2\n");
    on.fixture.source.git("checkout", "--quiet", "main");
    expect(() => on.fixture.source.git("rebase", "--quiet", "side")).toThrow();
    await refused("target_busy");
    on.fixture.source.git("rebase", "--abort");
    const hook = join(path, ".git", "hooks", "reference-transaction");
    mkdirSync(join(path, ".git", "hooks"), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\n[ "$1" != prepared ] || ! grep -q refs/heads/main\n');
    chmodSync(hook, 0o755);
    const before = users(on.fixture);
    await expect(on.finish(how)).rejects.toMatchObject({ code: "GIT_FAILED", effect: "none" });
    expect(users(on.fixture)).toEqual(before);
    unlinkSync(hook);
    await on.finish(how);
    expect(on.fixture.source.git("stash", "list")).toContain("stash@{0}");
    sound(on.fixture);
  });

  test("previews uncommitted work, and includes it only on request", async () => {
    using on = await bench();
    on.work("a.txt", "a\n");
    write(join(on.workspace.path, "b.txt"), "b\n");
    const before = [treeHash(on.fixture.source.path), treeHash(on.workspace.path)];
    expect(await on.fixture.spaces.previewFinish(on.request(how))).toMatchObject({
      uncommitted: ["b.txt"],
      blocks: [{ code: "uncommitted", items: ["b.txt"] }],
      total: { files: 1 },
    });
    const preview = await on.fixture.spaces.previewFinish(on.request(how, { commit: "Add b" }));
    expect(preview).toMatchObject({ blocks: [], total: { files: 2, added: 2 }, commit_count: 2 });
    expect([treeHash(on.fixture.source.path), treeHash(on.workspace.path)]).toEqual(before);
    await on.fixture.spaces.commitWork(on.workspace, "Add b");
    await on.finish(how);
    expect(readFileSync(join(on.fixture.source.path, "b.txt"), "utf8")).toBe("b\n");
  });

  test("lists all conflicts and changes nothing", async () => {
    using on = await bench();
    const { path } = on.workspace;
    for (const name of ["content.txt", "deleted.txt", "binary.bin", "renamed.txt"]) on.theirs(name, `${name}\n`.repeat(20));
    on.fixture.git(path, "merge", "--quiet", "main");
    on.fixture.git(path, "rm", "--quiet", "deleted.txt");
    renameSync(join(path, "renamed.txt"), join(path, "renamed-ours.txt"));
    write(join(path, "content.txt"), "ours\n");
    writeFileSync(join(path, "binary.bin"), Buffer.from([0, 1, 2]));
    symlinkSync("x", join(path, "both"));
    on.fixture.git(path, "add", "--all");
    on.fixture.git(path, "commit", "--quiet", "-m", "ours");
    const user = on.fixture.source.path;
    renameSync(join(user, "renamed.txt"), join(user, "renamed-theirs.txt"));
    write(join(user, "content.txt"), "theirs\n");
    write(join(user, "deleted.txt"), "changed\n");
    writeFileSync(join(user, "binary.bin"), Buffer.from([0, 3, 4]));
    write(join(user, "both"), "a file\n");
    on.fixture.source.git("add", "--all");
    on.fixture.source.git("commit", "--quiet", "-m", "theirs");
    const before = users(on.fixture);
    const preview = await on.fixture.spaces.previewFinish(on.request(how));
    expect(preview.blocks.map(({ code }) => code)).toEqual(["conflicts"]);
    const kinds = preview.conflicts.map(({ path: name, kind }) => `${name}: ${kind}`);
    for (const expected of ["content.txt: contents", "deleted.txt: modify/delete", "binary.bin: "])
      expect(kinds.some((kind) => kind.startsWith(expected))).toBe(true);
    expect(kinds.some((kind) => kind.includes("rename/rename"))).toBe(true);
    await expect(on.finish(how)).rejects.toMatchObject({ code: "FINISH_REFUSED", details: { conflicts: expect.any(Array) } });
    expect(users(on.fixture)).toEqual(before);
    sound(on.fixture);
  });
});

describe("finish", { timeout: 240_000 }, () => {
  test("fast-forwards where merge.ff allows it", async () => {
    using on = await bench();
    on.work("a.txt", "a\n");
    const head = on.fixture.git(on.workspace.path, "rev-parse", "HEAD").trim();
    expect(await on.fixture.spaces.previewFinish(on.request("merge"))).toMatchObject({ result: "fast_forward" });
    on.fixture.source.git("config", "merge.ff", "false");
    expect(await on.fixture.spaces.previewFinish(on.request("merge"))).toMatchObject({ result: "merge_commit" });
    on.fixture.source.git("config", "merge.ff", "only");
    expect(await on.finish("merge")).toBe(head);
    on.theirs("c.txt", "c\n");
    on.work("d.txt", "d\n");
    expect((await on.fixture.spaces.previewFinish(on.request("merge"))).blocks[0]?.code).toBe("not_fast_forward");
  });

  test("runs the user's hooks: pre-commit, commit-msg and post-merge", async () => {
    using on = await bench();
    const hooks = join(on.fixture.source.path, ".git", "hooks");
    mkdirSync(hooks, { recursive: true });
    const hook = (name: string, body: string) => {
      writeFileSync(join(hooks, name), `#!/bin/sh\n${body}\n`);
      chmodSync(join(hooks, name), 0o755);
    };
    on.theirs("c.txt", "c\n");
    write(join(on.workspace.path, "b.txt"), "b\n");
    hook("pre-commit", "echo no tests >&2; exit 1");
    await expect(on.fixture.spaces.commitWork(on.workspace, "Add b")).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringContaining("no tests"),
    });
    unlinkSync(join(hooks, "pre-commit"));
    await on.fixture.spaces.commitWork(on.workspace, "Add b");
    hook("commit-msg", "grep -q TICKET $1 || { echo no ticket >&2; exit 1; }; echo Checked >> $1");
    const before = on.main();
    await expect(on.finish("squash")).rejects.toMatchObject({ code: "GIT_FAILED", message: expect.stringContaining("no ticket") });
    expect(on.main()).toBe(before);
    hook("post-merge", "echo $1 > ../after");
    await on.finish("squash", { message: "TICKET-1" });
    expect(on.fixture.source.git("log", "-1", "--format=%B").trim()).toBe("TICKET-1\nChecked");
    await on.fixture.spaces.afterMerge({ repository: "", ref: "", from: "", to: "", checkout: on.fixture.source.path, started_in: null });
    expect(readFileSync(join(on.fixture.below, "after"), "utf8")).toBe("0\n");
  });

  test("rejects a wrong target, an operation in progress, and merges that a rebase would lose", async () => {
    using on = await bench();
    on.work("a.txt", "a\n");
    for (const into of ["nothing", "tmpm/demo"])
      await expect(on.fixture.spaces.previewFinish(on.request("merge", { into }))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(on.fixture.spaces.previewFinish(on.request("merge", { startedFrom: null }))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    expect((await on.fixture.spaces.previewFinish(on.request("merge", { startedFrom: "refs/remotes/origin/main" }))).into).toBe("main");
    on.theirs("c.txt", "c\n");
    on.fixture.git(on.workspace.path, "merge", "--quiet", "--no-edit", "main");
    on.theirs("a.txt", "other\n");
    expect((await on.fixture.spaces.previewFinish(on.request("rebase"))).blocks[0]?.code).toBe("merge_commits");
    expect(() => on.fixture.git(on.workspace.path, "merge", "--quiet", "main")).toThrow();
    expect((await on.fixture.spaces.previewFinish(on.request("merge"))).blocks.map(({ code }) => code)).toContain("in_progress");
  });

  test("handles any file name, a detached HEAD and a checkout in another work tree", async () => {
    using on = await bench();
    const { path } = on.workspace;
    writeFileSync(Buffer.from(`${path}/caf\xe9\nname`, "latin1"), "bytes\n");
    on.fixture.git(path, "add", "--all");
    on.fixture.git(path, "commit", "--quiet", "-m", "odd");
    on.fixture.git(path, "checkout", "--quiet", "--detach");
    on.fixture.source.git("checkout", "--quiet", "-b", "side");
    const other = join(on.fixture.below, "other tree");
    on.fixture.source.git("worktree", "add", "--quiet", other, "main");
    expect(await on.fixture.spaces.previewFinish(on.request("merge"))).toMatchObject({ checkout: other, source: { branch: null } });
    await on.finish("merge");
    expect(on.fixture.git(other, "status", "--porcelain")).toBe("");
    expect(readFileSync(Buffer.from(`${other}/caf\xe9\nname`, "latin1"), "utf8")).toBe("bytes\n");
    sound(on.fixture);
  });

  test("moves nothing when it loses a race for the branch", async () => {
    using on = await bench();
    on.work("a.txt", "a\n");
    const { move } = await on.fixture.spaces.composeFinish(on.request("merge"));
    on.theirs("c.txt", "c\n");
    const before = users(on.fixture);
    await expect(on.fixture.spaces.moveTarget({ ...move, why: "test" })).rejects.toMatchObject({ effect: "none" });
    expect(users(on.fixture)).toEqual(before);
    expect(await on.fixture.spaces.targetState(move)).toBe("elsewhere");
  });

  test("reports that the branch may have moved if neither the checkout nor the rollback succeeds, and continues later", async () => {
    using on = await bench();
    on.work("a.txt", "a\n");
    const { path } = on.fixture.source;
    const { move } = await on.fixture.spaces.composeFinish(on.request("squash"));
    const hook = blockAfterMove(path, join(path, "a.txt"));
    await expect(on.fixture.spaces.moveTarget({ ...move, why: "test" })).rejects.toMatchObject({ code: "GIT_FAILED", effect: "unknown" });
    expect(await on.fixture.spaces.targetState(move)).toBe("moved");
    expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("mine\n");
    unlinkSync(hook);
    unlinkSync(join(path, "a.txt"));
    await on.fixture.spaces.moveTarget({ ...move, why: "test" });
    expect(on.fixture.source.git("status", "--porcelain")).toBe("");
    expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("a\n");
    sound(on.fixture);
  });

  test("continues after a crash between branch and checkout, and can be undone", async () => {
    using on = await bench();
    on.work("a.txt", "a\n");
    const { move } = await on.fixture.spaces.composeFinish(on.request("squash"));
    await on.fixture.killedAt("workspace.target_moved", (spaces) => spaces.moveTarget({ ...move, why: "test" }));
    expect(existsSync(join(on.fixture.source.path, "a.txt"))).toBe(false);
    expect(await on.fixture.spaces.targetState(move)).toBe("moved");
    await on.fixture.spaces.moveTarget({ ...move, why: "test" });
    expect(on.fixture.source.git("status", "--porcelain")).toBe("");
    expect(existsSync(join(on.fixture.source.path, "a.txt"))).toBe(true);
    await on.fixture.spaces.moveTarget({ ...move, from: move.to, to: move.from, why: "test" });
    expect(on.fixture.source.git("status", "--porcelain")).toBe("");
    expect(existsSync(join(on.fixture.source.path, "a.txt"))).toBe(false);
    sound(on.fixture);
  });

  test("does not continue in a checkout that has another branch after a crash", async () => {
    using on = await bench();
    on.work("a.txt", "a\n");
    const { move } = await on.fixture.spaces.composeFinish(on.request("squash"));
    await on.fixture.killedAt("workspace.target_moved", (spaces) => spaces.moveTarget({ ...move, why: "test" }));
    on.fixture.source.git("branch", "fix", move.from);
    on.fixture.source.git("symbolic-ref", "HEAD", "refs/heads/fix");
    await on.fixture.spaces.moveTarget({ ...move, why: "test" });
    expect(on.fixture.source.git("status", "--porcelain")).toBe("");
    expect(existsSync(join(on.fixture.source.path, "a.txt"))).toBe(false);
    on.fixture.source.git("checkout", "--quiet", "--detach");
    await on.fixture.spaces.moveTarget({ ...move, why: "test" });
    expect(existsSync(join(on.fixture.source.path, "a.txt"))).toBe(false);
    expect(on.main()).toBe(move.to);
  });
});

/** A hook that, once main has moved, puts a file in the way of its checkout and refuses each further move. */
function blockAfterMove(repository: string, file: string): string {
  const hook = join(repository, ".git", "hooks", "reference-transaction");
  mkdirSync(join(repository, ".git", "hooks"), { recursive: true });
  const refuse = `[ "$1" = prepared ] && [ -e '${file}' ] && exit 1`;
  const block = `[ "$1" = committed ] && echo mine > '${file}'`;
  writeFileSync(hook, `#!/bin/sh\ngrep -q refs/heads/main || exit 0\n${refuse}\n${block}\nexit 0\n`);
  chmodSync(hook, 0o755);
  return hook;
}
