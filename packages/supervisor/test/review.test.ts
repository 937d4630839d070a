import { appendFileSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Step } from "../src/index.js";
import { CRASH } from "./lab.js";
import { workshop } from "./workshop.js";

describe("the changes of a session", { timeout: 240_000 }, () => {
  test("are those of its own directory since it started, also of one that it was given", async () => {
    using shop = workshop({ "a.txt": "a\n" });
    const own = await shop.sessions.create({ agent: "shell", cwd: shop.repository, worktree: true, name: "own" });
    await shop.sessions.create({ agent: "shell", cwd: shop.repository, name: "here" });
    writeFileSync(join(own.session.record.cwd, "own.txt"), "o\n");
    writeFileSync(join(shop.repository, "a.txt"), "b\n");
    shop.git(shop.repository, "commit", "--quiet", "-am", "second");
    await shop.sessions.rename({ session: "here", name: "there" });
    const files = async (session: string) => (await shop.sessions.diff({ session })).files.map(({ path }) => path);
    expect(await files("own")).toEqual(["own.txt"]);
    expect(await files("there")).toEqual(["a.txt"]);
    expect((await shop.sessions.diff({ session: "own", base: "main" })).files.map(({ path, status }) => [path, status])).toEqual([
      ["a.txt", "modified"],
      ["own.txt", "added"],
    ]);
  });

  test("is unknown without a repository or a directory", async () => {
    using shop = workshop();
    await shop.sessions.create({ agent: "shell", cwd: shop.home, name: "plain" });
    await expect(shop.sessions.diff({ session: "plain" })).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
    const own = await shop.sessions.create({ agent: "shell", cwd: shop.repository, worktree: true, name: "own" });
    rmSync(own.session.record.cwd, { recursive: true });
    await expect(shop.sessions.diff({ session: "own" })).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
  });
});

describe("comments on the changes of a session", { timeout: 240_000 }, () => {
  test("move along with their lines, also those on what was there before, and say when a line is gone", async () => {
    using shop = workshop({ "a.txt": "one\ntwo\nthree\n" });
    const { session } = await shop.sessions.create({ agent: "shell", cwd: shop.repository, worktree: true, name: "own" });
    const file = join(session.record.cwd, "a.txt");
    writeFileSync(file, "one\nTWO\nthree\n");
    const on = (line: number, side?: "old") => shop.sessions.comment({ session: "own", path: "a.txt", line, side, comment: `on ${line}` });
    await on(2);
    await on(3);
    const [old] = (await on(2, "old")).comments;
    expect(old?.anchor).toMatchObject({ side: "old", text: "two", before: ["one"], after: ["three"] });
    writeFileSync(file, "zero\none\nTWO\n");
    const lines = async () => (await shop.sessions.comments({ session: "own" })).comments.map(({ line }) => line);
    expect(await lines()).toEqual([3, null, 2]);
    expect((await shop.sessions.dropComment({ session: "own", comment: old?.id ?? "" })).comments).toHaveLength(1);
    rmSync(file);
    expect(await lines()).toEqual([null, null]);
    await expect(on(1)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    await expect(shop.sessions.comment({ session: "own", path: "../x", line: 1, comment: "x" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    await expect(shop.sessions.dropComment({ session: "own", comment: "nothing" })).rejects.toMatchObject({ code: "COMMENT_NOT_FOUND" });
    writeFileSync(file, "one\n");
    await expect(on(2)).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("1 lines") });
  });

  test("are not read from outside of the work tree", async () => {
    using shop = workshop({ "a.txt": "one\n" });
    const { session } = await shop.sessions.create({ agent: "shell", cwd: shop.repository, worktree: true, name: "own" });
    symlinkSync("/etc", join(session.record.cwd, "link"));
    symlinkSync("/etc/passwd", join(session.record.cwd, "passwd"));
    for (const path of ["link/passwd", "passwd"])
      await expect(shop.sessions.comment({ session: "own", path, line: 1, comment: "x" })).rejects.toMatchObject({
        code: "FILE_NOT_FOUND",
      });
  });

  test("are sent as one prompt, once", async () => {
    using shop = workshop({ "a.txt": "one\ntwo\n" });
    await shop.sessions.create({ agent: "shell", cwd: shop.repository, worktree: true, name: "own" });
    await expect(shop.sessions.send({ session: "own", text: "", comments: true })).rejects.toMatchObject({ code: "COMMENT_NOT_FOUND" });
    await shop.sessions.comment({ session: "own", path: "a.txt", line: 1, comment: "Say it\nin words" });
    await shop.sessions.comment({ session: "own", path: "a.txt", line: 2, comment: "Twice" });
    const { receipt } = await shop.sessions.send({ session: "own", text: "and then test", comments: true, now: true });
    const [first, second] = (await shop.sessions.comments({ session: "own" })).comments;
    expect([first?.sent?.send_id, second?.sent?.send_id]).toEqual([receipt.id, receipt.id]);
    const [turn] = await shop.sessions.turns({ session: "own" });
    expect(turn?.turn.prompt).toBe(
      [
        "Review comments on your changes. Address each of them:",
        "1. a.txt:1\n   > one\n   Say it\n   in words",
        "2. a.txt:2\n   > two\n   Twice",
        "and then test",
      ].join("\n\n"),
    );
    await expect(shop.sessions.send({ session: "own", text: "", comments: true })).rejects.toMatchObject({ code: "COMMENT_NOT_FOUND" });
    expect((await shop.sessions.dropComment({ session: "own", comment: "sent" })).comments).toHaveLength(2);
    expect((await shop.sessions.comments({ session: "own" })).comments).toEqual([]);
  });
});

type Shop = ReturnType<typeof workshop>;

/** As `git config` writes it, which would be two processes more. */
function named(repository: string): void {
  appendFileSync(join(repository, ".git", "config"), "[user]\n\tname = Demo\n\temail = demo@example.com\n");
}

/** A session with one commit of its own, beside one of its user's. */
async function worked(shop: Shop) {
  named(shop.repository);
  const { session } = await shop.sessions.create({ agent: "shell", cwd: shop.repository, worktree: true, name: "demo", prompt: "Fix it" });
  const { cwd } = session.record;
  writeFileSync(join(cwd, "work.txt"), "w\n");
  shop.git(cwd, "add", "--all");
  shop.git(cwd, "commit", "--quiet", "-m", "work");
  writeFileSync(join(shop.repository, "theirs.txt"), "t\n");
  shop.git(shop.repository, "add", "--all");
  shop.git(shop.repository, "commit", "--quiet", "-m", "theirs");
  return { cwd, main: () => shop.git(shop.repository, "rev-parse", "main").trim(), id: session.record.id };
}

describe("finishing a session", { timeout: 240_000 }, () => {
  test("merges its work, ends it, and undo brings branch, checkout and workspace back", async () => {
    using shop = workshop();
    const { cwd, main } = await worked(shop);
    const before = main();
    const preview = await shop.sessions.finish({ session: "demo", how: "squash", dry_run: true });
    expect(preview).toMatchObject({ dry_run: true, plan: { result: "squash_commit", into: "main", blocks: [] }, finished: null });
    expect((await shop.sessions.show({ session: "demo" })).record).toMatchObject({ state: "active", finished: null });
    const done = await shop.sessions.finish({ session: "demo", how: "squash" });
    expect(done).toMatchObject({
      session: { record: { state: "decommissioned", finished: { ref: "refs/heads/main", from: before }, workspace: { trashed: {} } } },
      workspace: { outcome: "trashed", branch: { outcome: "deleted" } },
      notes: [],
    });
    expect(main()).toBe(done.finished?.to);
    expect(existsSync(cwd)).toBe(false);
    expect(existsSync(join(shop.repository, "work.txt"))).toBe(true);
    expect(shop.types()).toContain("session_finished");
    const undone = await shop.sessions.undo({});
    expect(undone.session.record).toMatchObject({ state: "stopped", finished: null, intent: null });
    expect(main()).toBe(before);
    expect(existsSync(join(shop.repository, "work.txt"))).toBe(false);
    expect(shop.git(shop.repository, "status", "--porcelain")).toBe("");
    expect(shop.git(cwd, "log", "-1", "--format=%s %D").trim()).toContain("work HEAD -> tmpm/demo");
    expect(shop.git(shop.repository, "for-each-ref", "refs/tmpm")).toBe("");
    expect(shop.git(shop.repository, "fsck", "--no-dangling")).toBe("");
  });

  test("is refused before anything is stopped, and commits what is uncommitted only on request", async () => {
    using shop = workshop();
    const { cwd, main } = await worked(shop);
    writeFileSync(join(cwd, "more.txt"), "m\n");
    const before = main();
    await expect(shop.sessions.finish({ session: "demo", how: "merge" })).rejects.toMatchObject({
      code: "FINISH_REFUSED",
      details: { blocks: [{ code: "uncommitted", items: ["more.txt"] }] },
    });
    expect((await shop.sessions.show({ session: "demo" })).record).toMatchObject({ state: "active", intent: null });
    expect(main()).toBe(before);
    await shop.sessions.finish({ session: "demo", how: "merge", commit: "Add more" });
    expect(shop.git(shop.repository, "log", "--format=%s", "main").split("\n")).toEqual(
      expect.arrayContaining(["Merge branch 'tmpm/demo' into main", "Add more", "work", "theirs"]),
    );
  });

  test("keeps the session while its workspace is in use, and undo then moves the branch alone", async () => {
    using shop = workshop();
    const { cwd, main } = await worked(shop);
    const before = main();
    await shop.sessions.create({ agent: "shell", cwd, name: "guest" });
    const done = await shop.sessions.finish({ session: "demo", how: "rebase" });
    expect(done).toMatchObject({ workspace: null, session: { record: { state: "stopped", intent: null } } });
    expect(done.notes[0]).toContain("its workspace is kept");
    expect(main()).not.toBe(before);
    expect((await shop.sessions.finish({ session: "demo", how: "rebase" })).plan?.result).toBe("already");
    await shop.sessions.undo({ session: "demo" });
    expect(main()).toBe(before);
    expect(existsSync(cwd)).toBe(true);
  });

  test("is not undone halfway: a dirty checkout refuses, a branch that moved on stays", async () => {
    using shop = workshop();
    const { cwd, main } = await worked(shop);
    await shop.sessions.finish({ session: "demo", how: "merge" });
    const merged = main();
    writeFileSync(join(shop.repository, "theirs.txt"), "dirty\n");
    await expect(shop.sessions.undo({})).rejects.toMatchObject({ code: "FINISH_REFUSED" });
    expect(existsSync(cwd)).toBe(false);
    expect(readFileSync(join(shop.repository, "theirs.txt"), "utf8")).toBe("dirty\n");
    shop.git(shop.repository, "commit", "--quiet", "-am", "on");
    const on = main();
    const undone = await shop.sessions.undo({});
    expect(undone.notes[0]).toContain("moved on");
    expect(main()).toBe(on);
    expect(on).not.toBe(merged);
    expect(existsSync(cwd)).toBe(true);
  });

  test("by keep leaves directory and branch", async () => {
    using shop = workshop();
    const { cwd, main } = await worked(shop);
    const before = main();
    expect(await shop.sessions.finish({ session: "demo", how: "keep" })).toMatchObject({ workspace: { outcome: "kept", path: cwd } });
    expect(main()).toBe(before);
    expect(shop.branches()).toContain("tmpm/demo");
  });

  test("is for worktrees that tmpm made", async () => {
    using shop = workshop();
    await shop.sessions.create({ agent: "shell", cwd: shop.repository, name: "here" });
    await shop.sessions.create({ agent: "shell", cwd: shop.home, repo: shop.repository, name: "clone" });
    for (const session of ["here", "clone"])
      await expect(shop.sessions.finish({ session, how: "merge" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

const FINISHING = [
  "finish.stopped",
  "finish.committed",
  "finish.intended",
  "finish.moved",
  "finish.recorded",
  "remove.intended",
  "remove.trashed",
] as const;
const UNDOING = ["undo.target_back", "undo.intended", "undo.restored", "undo.unarchived"] as const;

describe("a crash", { timeout: 240_000 }, () => {
  test.each(FINISHING)("at %s of a finish leaves all of it done or nothing", async (step: Step) => {
    using shop = workshop();
    const { cwd, main, id } = await worked(shop);
    const before = main();
    const commit = step === "finish.committed" ? "Add more" : undefined;
    if (commit !== undefined) writeFileSync(join(cwd, "more.txt"), "m\n");
    shop.crashAt(step);
    await expect(shop.sessions.finish({ session: "demo", how: "squash", commit })).rejects.toBe(CRASH);
    shop.crashAt(null);
    const again = shop.restarted();
    await again.reconcile();
    const { record } = await again.show({ session: id });
    expect(record.intent).toBeNull();
    expect(shop.git(shop.repository, "status", "--porcelain")).toBe("");
    if (main() === before) {
      expect(record).toMatchObject({ state: "stopped", finished: null });
      expect(existsSync(cwd)).toBe(true);
      await again.finish({ session: id, how: "squash" });
    } else if (record.state === "stopped") {
      // A removal that is undone leaves the workspace, of which the branch holds the work.
      expect(record.finished).not.toBeNull();
      expect(existsSync(cwd)).toBe(true);
      await again.finish({ session: id, how: "squash" });
    } else expect(record).toMatchObject({ state: "decommissioned", finished: { from: before } });
    expect(existsSync(join(shop.repository, "work.txt"))).toBe(true);
    expect(existsSync(cwd)).toBe(false);
    expect(shop.git(shop.repository, "fsck", "--no-dangling")).toBe("");
  });

  test.each(UNDOING)("at %s of its undo ends with all of it undone", async (step: Step) => {
    using shop = workshop();
    const { cwd, main, id } = await worked(shop);
    const before = main();
    await shop.sessions.finish({ session: "demo", how: "squash" });
    shop.crashAt(step);
    await expect(shop.sessions.undo({})).rejects.toBe(CRASH);
    shop.crashAt(null);
    const again = shop.restarted();
    await again.reconcile();
    expect((await again.show({ session: id })).record).toMatchObject({ state: "stopped", intent: null, finished: null });
    expect(main()).toBe(before);
    expect(existsSync(join(cwd, "work.txt"))).toBe(true);
    expect(shop.git(shop.repository, "status", "--porcelain")).toBe("");
    expect(shop.git(shop.repository, "fsck", "--no-dangling")).toBe("");
  });
});
