import { appendFileSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommentList, TmpmError } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { describe, expect, test } from "vitest";
import type { Ports, Step, Supervisor } from "../../src/index.js";
import { CRASH } from "../fixtures/fixture.js";
import { repositoryFixture } from "../fixtures/repository-fixture.js";
import { sampleOf } from "../fixtures/sampled-hosts.js";

describe("changes of a session", { timeout: 240_000 }, () => {
  test("are those of its own directory since it started, including a given directory", async () => {
    using fixture = repositoryFixture({ "a.txt": "a\n" });
    const own = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "own" });
    await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, name: "here" });
    writeFileSync(join(own.session.record.cwd, "own.txt"), "o\n");
    writeFileSync(join(fixture.repository, "a.txt"), "b\n");
    fixture.git(fixture.repository, "commit", "--quiet", "-am", "second");
    await fixture.sessions.rename({ session: "here", name: "there" });
    const files = async (session: string) => (await fixture.sessions.diff({ session })).files.map(({ path }) => path);
    expect(await files("own")).toEqual(["own.txt"]);
    expect(await files("there")).toEqual(["a.txt"]);
    expect((await fixture.sessions.diff({ session: "own", base: "main" })).files.map(({ path, status }) => [path, status])).toEqual([
      ["a.txt", "modified"],
      ["own.txt", "added"],
    ]);
  });

  test("are unknown without a repository or a directory", async () => {
    using fixture = repositoryFixture();
    await fixture.sessions.create({ agent: "shell", cwd: fixture.home, name: "plain" });
    await expect(fixture.sessions.diff({ session: "plain" })).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
    const own = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "own" });
    rmSync(own.session.record.cwd, { recursive: true });
    await expect(fixture.sessions.diff({ session: "own" })).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
  });
});

describe("comments on the changes of a session", { timeout: 240_000 }, () => {
  test("follow their lines, also those on old lines, and report when a line is gone", async () => {
    using fixture = repositoryFixture({ "a.txt": "one\ntwo\nthree\n" });
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "own" });
    const file = join(session.record.cwd, "a.txt");
    writeFileSync(file, "one\nTWO\nthree\n");
    const on = (line: number, side?: "old") =>
      fixture.sessions.comment({ session: "own", path: "a.txt", line, side, comment: `on ${line}` });
    await on(2);
    await on(3);
    const [old] = (await on(2, "old")).comments;
    expect(old?.anchor).toMatchObject({ side: "old", text: "two", before: ["one"], after: ["three"] });
    writeFileSync(file, "zero\none\nTWO\n");
    const lines = async () => (await fixture.sessions.comments({ session: "own" })).comments.map(({ line }) => line);
    expect(await lines()).toEqual([3, null, 2]);
    expect((await fixture.sessions.dropComment({ session: "own", comment: old?.id ?? "" })).comments).toHaveLength(1);
    rmSync(file);
    expect(await lines()).toEqual([null, null]);
    await expect(on(1)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    await expect(fixture.sessions.comment({ session: "own", path: "../x", line: 1, comment: "x" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    await expect(fixture.sessions.dropComment({ session: "own", comment: "nothing" })).rejects.toMatchObject({ code: "COMMENT_NOT_FOUND" });
    writeFileSync(file, "one\n");
    await expect(on(2)).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("1 lines") });
  });

  test("are refused for a line that is no longer the one that was shown", async () => {
    using fixture = repositoryFixture({ "a.txt": "one\r\ntwo\n" });
    await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, name: "own" });
    const on = (line: number, text: string) => fixture.sessions.comment({ session: "own", path: "a.txt", line, text, comment: "Why?" });
    expect((await on(1, "one\r")).comments).toMatchObject([{ line: 1, anchor: { text: "one" } }]);
    await on(2, "two");
    writeFileSync(join(fixture.repository, "a.txt"), "zero\r\none\r\ntwo\n");
    await expect(on(2, "two")).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message: "line 2 of a.txt has changed" });
    expect((await fixture.sessions.comments({ session: "own" })).comments.map(({ line }) => line)).toEqual([2, 3]);
  });

  test("are not read from outside the worktree", async () => {
    using fixture = repositoryFixture({ "a.txt": "one\n" });
    const { session } = await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "own" });
    symlinkSync("/etc", join(session.record.cwd, "link"));
    symlinkSync("/etc/passwd", join(session.record.cwd, "passwd"));
    for (const path of ["link/passwd", "passwd"])
      await expect(fixture.sessions.comment({ session: "own", path, line: 1, comment: "x" })).rejects.toMatchObject({
        code: "FILE_NOT_FOUND",
      });
  });

  test("are sent as one prompt, once", async () => {
    using fixture = repositoryFixture({ "a.txt": "one\ntwo\n" });
    await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "own" });
    await expect(fixture.sessions.send({ session: "own", text: "", comments: true })).rejects.toMatchObject({ code: "COMMENT_NOT_FOUND" });
    await fixture.sessions.comment({ session: "own", path: "a.txt", line: 1, comment: "Say it\nin words" });
    await fixture.sessions.comment({ session: "own", path: "a.txt", line: 2, comment: "Twice" });
    const { receipt } = await fixture.sessions.send({ session: "own", text: "and then test", comments: true, now: true });
    const [first, second] = (await fixture.sessions.comments({ session: "own" })).comments;
    expect([first?.sent?.send_id, second?.sent?.send_id]).toEqual([receipt.id, receipt.id]);
    const [turn] = await fixture.sessions.turns({ session: "own" });
    expect(turn?.turn.prompt).toBe(
      [
        "Review comments on your changes. Address each of them:",
        "1. a.txt:1\n   > one\n   Say it\n   in words",
        "2. a.txt:2\n   > two\n   Twice",
        "and then test",
      ].join("\n\n"),
    );
    await expect(fixture.sessions.send({ session: "own", text: "", comments: true })).rejects.toMatchObject({ code: "COMMENT_NOT_FOUND" });
    expect((await fixture.sessions.dropComment({ session: "own", comment: "sent" })).comments).toHaveLength(2);
    expect((await fixture.sessions.comments({ session: "own" })).comments).toEqual([]);
  });
});

test("comments of a send that is refused are open again", async () => {
  using fixture = repositoryFixture({ "a.txt": "one\n" });
  await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "own" });
  await fixture.sessions.comment({ session: "own", path: "a.txt", line: 1, comment: "Twice" });
  await fixture.sessions.pause({ session: "own" });
  const { receipt } = await fixture.sessions.send({ session: "own", text: "", comments: true, no_wait: true });
  const sent = async () => (await fixture.sessions.comments({ session: "own" })).comments.map((each) => each.sent?.send_id);
  expect(await sent()).toEqual([receipt.id]);
  await fixture.sessions.cancelSend({ session: "own", send: receipt.id ?? "" });
  await expect.poll(sent).toEqual([undefined]);
});

describe("comments of an accepted send", () => {
  const sentBy = async (sessions: Supervisor) => (await sessions.comments({ session: "own" })).comments.map((each) => each.sent?.send_id);

  async function commented(commentStore: Ports["commentStore"]) {
    const fixture = repositoryFixture({ "a.txt": "one\n" }, { ports: { commentStore } });
    await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, worktree: true, name: "own" });
    await fixture.sessions.comment({ session: "own", path: "a.txt", line: 1, comment: "Twice" });
    return fixture;
  }

  test("are sent once, although the daemon dies before it marks them", async () => {
    using fixture = await commented(memoryDocuments());
    const keyed = { session: "own", text: "", comments: true, now: true, idempotency_key: "k" };
    fixture.crashAt("send.accepted");
    await expect(fixture.sessions.send(keyed)).rejects.toBe(CRASH);
    fixture.crashAt(null);
    const next = fixture.restarted();
    await expect(next.send({ session: "own", text: "", comments: true, now: true })).rejects.toMatchObject({ code: "COMMENT_NOT_FOUND" });
    const { receipt } = await next.send(keyed);
    expect(await sentBy(next)).toEqual([receipt.id]);
  });

  test("are sent once, although they could not be marked at first", async () => {
    const documents = memoryDocuments<CommentList>();
    let full = false;
    using fixture = await commented({
      ...documents,
      put: async (id, comments) => {
        if (full) throw new TmpmError("STORAGE_FULL", "full");
        await documents.put(id, comments);
      },
    });
    full = true;
    const { receipt } = await fixture.sessions.send({ session: "own", text: "", comments: true, now: true });
    await expect(fixture.sessions.send({ session: "own", text: "", comments: true })).rejects.toMatchObject({ code: "COMMENT_NOT_FOUND" });
    full = false;
    expect(await sentBy(fixture.sessions)).toEqual([undefined]);
    await expect(fixture.sessions.send({ session: "own", text: "", comments: true })).rejects.toMatchObject({ code: "COMMENT_NOT_FOUND" });
    expect(await sentBy(fixture.sessions)).toEqual([receipt.id]);
  });
});

type RepositoryFixture = ReturnType<typeof repositoryFixture>;

/** The output of `git config`, without two more processes. */
function named(repository: string): void {
  appendFileSync(join(repository, ".git", "config"), "[user]\n\tname = Demo\n\temail = demo@example.com\n");
}

/** A session with one commit of its own, and one of its user. */
async function worked(fixture: RepositoryFixture) {
  named(fixture.repository);
  const { session } = await fixture.sessions.create({
    agent: "shell",
    cwd: fixture.repository,
    worktree: true,
    name: "demo",
    prompt: "Fix it",
  });
  const { cwd } = session.record;
  writeFileSync(join(cwd, "work.txt"), "w\n");
  fixture.git(cwd, "add", "--all");
  fixture.git(cwd, "commit", "--quiet", "-m", "work");
  writeFileSync(join(fixture.repository, "theirs.txt"), "t\n");
  fixture.git(fixture.repository, "add", "--all");
  fixture.git(fixture.repository, "commit", "--quiet", "-m", "theirs");
  return { cwd, main: () => fixture.git(fixture.repository, "rev-parse", "main").trim(), id: session.record.id };
}

describe("finishing a session", { timeout: 240_000 }, () => {
  test("merges its work, ends it, and undo restores branch, checkout and workspace", async () => {
    using fixture = repositoryFixture();
    const { cwd, main } = await worked(fixture);
    const before = main();
    const preview = await fixture.sessions.finish({ session: "demo", how: "squash", dry_run: true });
    expect(preview).toMatchObject({ dry_run: true, plan: { result: "squash_commit", into: "main", blocks: [] }, finished: null });
    expect((await fixture.sessions.show({ session: "demo" })).record).toMatchObject({ state: "active", finished: null });
    const done = await fixture.sessions.finish({ session: "demo", how: "squash" });
    expect(done).toMatchObject({
      session: { record: { state: "decommissioned", finished: { ref: "refs/heads/main", from: before }, workspace: { trashed: {} } } },
      workspace: { outcome: "trashed", branch: { outcome: "deleted" } },
      notes: [],
    });
    expect(main()).toBe(done.finished?.to);
    expect(existsSync(cwd)).toBe(false);
    expect(existsSync(join(fixture.repository, "work.txt"))).toBe(true);
    expect(fixture.types()).toContain("session_finished");
    const undone = await fixture.sessions.undo({});
    expect(undone.session.record).toMatchObject({ state: "stopped", finished: null, intent: null });
    expect(main()).toBe(before);
    expect(existsSync(join(fixture.repository, "work.txt"))).toBe(false);
    expect(fixture.git(fixture.repository, "status", "--porcelain")).toBe("");
    expect(fixture.git(cwd, "log", "-1", "--format=%s %D").trim()).toContain("work HEAD -> tmpm/demo");
    expect(fixture.git(fixture.repository, "for-each-ref", "refs/tmpm")).toBe("");
    expect(fixture.git(fixture.repository, "fsck", "--no-dangling")).toBe("");
  });

  test("keeps its merge when undo comes after the workspace has left the trash", async () => {
    using fixture = repositoryFixture();
    const { main, id } = await worked(fixture);
    await fixture.sessions.finish({ session: "demo", how: "merge" });
    const merged = main();
    // As the trash leaves it when its time is over.
    await fixture.store.update(id, (record) => ({ ...record, workspace: null }));
    const undone = await fixture.sessions.undo({});
    expect(undone.notes).toContain("its workspace is no longer in the trash, so its work stays in main");
    expect(main()).toBe(merged);
  });

  test("commits what the agent wrote until it was stopped", async () => {
    using fixture = repositoryFixture();
    const { cwd } = await worked(fixture);
    fixture.onStep((step) => {
      if (step === "finish.stopped") writeFileSync(join(cwd, "late.txt"), "l\n");
    });
    await fixture.sessions.finish({ session: "demo", how: "squash", commit: "Late work" });
    expect(existsSync(join(fixture.repository, "late.txt"))).toBe(true);
  });

  test("is rejected before anything is stopped, and commits uncommitted work only on request", async () => {
    using fixture = repositoryFixture();
    const { cwd, main } = await worked(fixture);
    writeFileSync(join(cwd, "more.txt"), "m\n");
    const before = main();
    await expect(fixture.sessions.finish({ session: "demo", how: "merge" })).rejects.toMatchObject({
      code: "FINISH_REFUSED",
      details: { blocks: [{ code: "uncommitted", items: ["more.txt"] }] },
    });
    expect((await fixture.sessions.show({ session: "demo" })).record).toMatchObject({ state: "active", intent: null });
    expect(main()).toBe(before);
    await fixture.sessions.finish({ session: "demo", how: "merge", commit: "Add more" });
    expect(fixture.git(fixture.repository, "log", "--format=%s", "main").split("\n")).toEqual(
      expect.arrayContaining(["Merge branch 'tmpm/demo' into main", "Add more", "work", "theirs"]),
    );
  });

  test("keeps the session while its workspace is in use, and undo then moves the branch only", async () => {
    using fixture = repositoryFixture();
    const { cwd, main } = await worked(fixture);
    const before = main();
    await fixture.sessions.create({ agent: "shell", cwd, name: "guest" });
    const done = await fixture.sessions.finish({ session: "demo", how: "rebase" });
    expect(done).toMatchObject({ workspace: null, session: { record: { state: "stopped", intent: null } } });
    expect(done.notes[0]).toContain("its workspace is kept");
    expect(main()).not.toBe(before);
    expect((await fixture.sessions.finish({ session: "demo", how: "rebase" })).plan?.result).toBe("already");
    await fixture.sessions.undo({ session: "demo" });
    expect(main()).toBe(before);
    expect(existsSync(cwd)).toBe(true);
  });

  test("is undone completely or not at all: a dirty checkout is rejected, and a branch that moved on stays", async () => {
    using fixture = repositoryFixture();
    const { cwd, main } = await worked(fixture);
    await fixture.sessions.finish({ session: "demo", how: "merge" });
    const merged = main();
    writeFileSync(join(fixture.repository, "theirs.txt"), "dirty\n");
    await expect(fixture.sessions.undo({})).rejects.toMatchObject({ code: "FINISH_REFUSED" });
    expect(existsSync(cwd)).toBe(false);
    expect(readFileSync(join(fixture.repository, "theirs.txt"), "utf8")).toBe("dirty\n");
    fixture.git(fixture.repository, "commit", "--quiet", "-am", "on");
    const on = main();
    const undone = await fixture.sessions.undo({});
    expect(undone.notes[0]).toContain("has moved since");
    expect(main()).toBe(on);
    expect(on).not.toBe(merged);
    expect(existsSync(cwd)).toBe(true);
  });

  test("with keep leaves directory and branch in place", async () => {
    using fixture = repositoryFixture();
    const { cwd, main } = await worked(fixture);
    const before = main();
    expect(await fixture.sessions.finish({ session: "demo", how: "keep" })).toMatchObject({ workspace: { outcome: "kept", path: cwd } });
    expect(main()).toBe(before);
    expect(fixture.branches()).toContain("tmpm/demo");
  });

  test("is for worktrees created by tmpm", async () => {
    using fixture = repositoryFixture();
    await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, name: "here" });
    await fixture.sessions.create({ agent: "shell", cwd: fixture.home, repo: fixture.repository, name: "clone" });
    for (const session of ["here", "clone"])
      await expect(fixture.sessions.finish({ session, how: "merge" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

const BEFORE_IT_MOVED = ["finish.stopped", "finish.committed", "finish.intended"] as const;
const SINCE_IT_MOVED = ["finish.moved", "finish.recorded", "remove.intended", "remove.trashed"] as const;
const UNDOING = ["undo.target_back", "undo.intended", "undo.restored", "undo.unarchived"] as const;

describe("crash", { timeout: 240_000 }, () => {
  test.each([...sampleOf(BEFORE_IT_MOVED), ...sampleOf(SINCE_IT_MOVED)])(
    "at %s of a finish leaves it either complete or without effect",
    async (step: Step) => {
      using fixture = repositoryFixture();
      const { cwd, main, id } = await worked(fixture);
      const before = main();
      const commit = step === "finish.committed" ? "Add more" : undefined;
      if (commit !== undefined) writeFileSync(join(cwd, "more.txt"), "m\n");
      fixture.crashAt(step);
      await expect(fixture.sessions.finish({ session: "demo", how: "squash", commit })).rejects.toBe(CRASH);
      fixture.crashAt(null);
      const again = fixture.restarted();
      await again.reconcile();
      const { record } = await again.show({ session: id });
      expect(record.intent).toBeNull();
      expect(fixture.git(fixture.repository, "status", "--porcelain")).toBe("");
      if (main() === before) {
        expect(record).toMatchObject({ state: "stopped", finished: null });
        expect(existsSync(cwd)).toBe(true);
        await again.finish({ session: id, how: "squash" });
      } else if (record.state === "stopped") {
        // An undone removal leaves the workspace, whose work is on the branch.
        expect(record.finished).not.toBeNull();
        expect(existsSync(cwd)).toBe(true);
        await again.finish({ session: id, how: "squash" });
      } else expect(record).toMatchObject({ state: "decommissioned", finished: { from: before } });
      expect(existsSync(join(fixture.repository, "work.txt"))).toBe(true);
      expect(existsSync(cwd)).toBe(false);
      expect(fixture.git(fixture.repository, "fsck", "--no-dangling")).toBe("");
    },
  );

  test.each(sampleOf(UNDOING))("at %s of its undo leaves it completely undone", async (step: Step) => {
    using fixture = repositoryFixture();
    const { cwd, main, id } = await worked(fixture);
    const before = main();
    await fixture.sessions.finish({ session: "demo", how: "squash" });
    fixture.crashAt(step);
    await expect(fixture.sessions.undo({})).rejects.toBe(CRASH);
    fixture.crashAt(null);
    const again = fixture.restarted();
    await again.reconcile();
    expect((await again.show({ session: id })).record).toMatchObject({ state: "stopped", intent: null, finished: null });
    expect(main()).toBe(before);
    expect(existsSync(join(cwd, "work.txt"))).toBe(true);
    expect(fixture.git(fixture.repository, "status", "--porcelain")).toBe("");
    expect(fixture.git(fixture.repository, "fsck", "--no-dangling")).toBe("");
  });
});
