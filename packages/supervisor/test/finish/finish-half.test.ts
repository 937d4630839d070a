import { chmodSync, existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CRASH } from "../fixtures/fixture.js";
import { repositoryFixture } from "../fixtures/repository-fixture.js";

test("a finish whose branch moved, but whose checkout and rollback failed, is completed later", { timeout: 240_000 }, async () => {
  using fixture = repositoryFixture();
  const { git, repository, sessions } = fixture;
  for (const setting of [
    ["user.name", "Demo"],
    ["user.email", "demo@example.com"],
  ])
    git(repository, "config", ...setting);
  const { record } = (await sessions.create({ agent: "shell", cwd: repository, worktree: true, name: "demo" })).session;
  writeFileSync(join(record.cwd, "a.txt"), "a\n");
  const file = join(repository, "a.txt");
  const hook = join(repository, ".git", "hooks", "reference-transaction");
  const refuse = `[ "$1" = prepared ] && [ -e '${file}' ] && exit 1`;
  const block = `[ "$1" = committed ] && echo mine > '${file}'`;
  mkdirSync(join(repository, ".git", "hooks"), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\ngrep -q refs/heads/main || exit 0\n${refuse}\n${block}\nexit 0\n`);
  chmodSync(hook, 0o755);

  const finish = { session: "demo", how: "squash", commit: "Add a.txt" } as const;
  await expect(sessions.finish(finish)).rejects.toMatchObject({ code: "GIT_FAILED", effect: "unknown" });
  const kept = `refs/tmpm/finished/${record.id}`;
  expect(git(repository, "for-each-ref", "--format=%(refname)", "refs/tmpm/finished").trim()).toBe(kept);
  expect((await sessions.show({ session: "demo" })).record.intent).toMatchObject({ op: "finish", step: "move" });

  unlinkSync(hook);
  unlinkSync(file);
  await fixture.restarted().reconcile();
  expect((await sessions.show({ session: record.id })).record).toMatchObject({ state: "decommissioned", intent: null });
  expect(readFileSync(file, "utf8")).toBe("a\n");
  expect(git(repository, "status", "--porcelain")).toBe("");
});

test("a finish interrupted after its branch moved is finished before a resume, and can be undone", { timeout: 240_000 }, async () => {
  using fixture = repositoryFixture();
  const { git, repository, sessions } = fixture;
  git(repository, "config", "user.name", "Demo");
  git(repository, "config", "user.email", "demo@example.com");
  const { record } = (await sessions.create({ agent: "shell", cwd: repository, worktree: true, name: "demo" })).session;
  const before = git(repository, "rev-parse", "main");
  writeFileSync(join(record.cwd, "a.txt"), "a\n");
  fixture.crashAt("finish.moved");
  await expect(sessions.finish({ session: "demo", how: "squash", commit: "Add a.txt" })).rejects.toBe(CRASH);
  fixture.crashAt(null);

  const next = fixture.restarted();
  await expect(next.resume({ session: "demo" })).rejects.toMatchObject({ code: "INVALID_STATE" });
  expect((await next.show({ session: record.id })).record).toMatchObject({ state: "decommissioned", finished: { how: "squash" } });
  expect((await next.undo({ session: record.id })).session.record).toMatchObject({ state: "stopped", finished: null, intent: null });
  expect(git(repository, "rev-parse", "main")).toBe(before);
  expect((await next.resume({ session: "demo" })).record.state).toBe("active");
});

test("the undo of a removal does not revert an earlier finish, which has a separate undo", { timeout: 240_000 }, async () => {
  using fixture = repositoryFixture();
  const { git, repository, sessions } = fixture;
  git(repository, "config", "user.name", "Demo");
  git(repository, "config", "user.email", "demo@example.com");
  const { record } = (await sessions.create({ agent: "shell", cwd: repository, worktree: true, name: "demo" })).session;
  const before = git(repository, "rev-parse", "main");
  writeFileSync(join(record.cwd, "a.txt"), "a\n");
  await sessions.create({ agent: "shell", cwd: record.cwd, name: "guest" });
  await sessions.finish({ session: "demo", how: "squash", commit: "Add a.txt" });
  const merged = git(repository, "rev-parse", "main");
  await sessions.remove({ session: "guest", keep_workspace: true });
  expect((await sessions.remove({ session: "demo" })).workspace).toMatchObject({ outcome: "trashed" });
  const undone = await sessions.undo({ session: "demo" });
  expect(undone.notes).toEqual([expect.stringContaining("its work stays in main, where it was merged before; `tmpm undo demo`")]);
  expect(undone.session.record).toMatchObject({ state: "stopped", finished: { from: before.trim(), to: merged.trim() } });
  expect(git(repository, "rev-parse", "main")).toBe(merged);
  expect(existsSync(join(record.cwd, "a.txt"))).toBe(true);
  const again = await sessions.undo({ session: "demo" });
  expect([git(repository, "rev-parse", "main"), again.session.record.finished]).toEqual([before, null]);
  await sessions.remove({ session: "demo", discard: true });
  expect((await sessions.undo({ session: "demo" })).notes).toEqual([]);
});

test("the commits kept for an undo are dropped when the finished session's workspace is kept", { timeout: 240_000 }, async () => {
  using fixture = repositoryFixture();
  const { git, repository, sessions } = fixture;
  git(repository, "config", "user.name", "Demo");
  git(repository, "config", "user.email", "demo@example.com");
  const { record } = (await sessions.create({ agent: "shell", cwd: repository, worktree: true, name: "demo" })).session;
  writeFileSync(join(record.cwd, "a.txt"), "a\n");
  await sessions.create({ agent: "shell", cwd: record.cwd, name: "guest" });
  await sessions.finish({ session: "demo", how: "squash", commit: "Add a.txt" });
  const kept = () => git(repository, "for-each-ref", "--format=%(refname)", "refs/tmpm/finished").trim();
  expect(kept()).toBe(`refs/tmpm/finished/${record.id}`);
  await sessions.remove({ session: "demo", keep_workspace: true });
  expect(kept()).toBe("");
});

test("a removal does not wait for a repository that keeps the commits of the finish, and reports it", { timeout: 240_000 }, async () => {
  using fixture = repositoryFixture();
  const { git, repository, sessions } = fixture;
  git(repository, "config", "user.name", "Demo");
  git(repository, "config", "user.email", "demo@example.com");
  const { record } = (await sessions.create({ agent: "shell", cwd: repository, worktree: true, name: "demo" })).session;
  writeFileSync(join(record.cwd, "a.txt"), "a\n");
  await sessions.create({ agent: "shell", cwd: record.cwd, name: "guest" });
  await sessions.finish({ session: "demo", how: "squash", commit: "Add a.txt" });
  const lock = join(repository, ".git", "refs", "tmpm", "finished", `${record.id}.lock`);
  writeFileSync(lock, "");
  await sessions.remove({ session: "demo", keep_workspace: true });
  expect((await sessions.show({ session: record.id })).record.state).toBe("decommissioned");
  expect(fixture.faults.map(({ doing }) => doing)).toContain("removing the commits kept for the undo of session demo");
});
