import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CRASH } from "../fixtures/fixture.js";
import { repositoryFixture } from "../fixtures/repository-fixture.js";

type RepositoryFixture = ReturnType<typeof repositoryFixture>;

/** A finished session: its work is in main, and its workspace in the trash. */
async function finished(fixture: RepositoryFixture) {
  const { git, repository, sessions } = fixture;
  appendFileSync(join(repository, ".git", "config"), "[user]\n\tname = Demo\n\temail = demo@example.com\n");
  const { record } = (await sessions.create({ agent: "shell", cwd: repository, worktree: true, name: "demo" })).session;
  const main = () => git(repository, "rev-parse", "main").trim();
  const before = main();
  writeFileSync(join(record.cwd, "work.txt"), "w\n");
  await sessions.finish({ session: "demo", how: "squash", commit: "Work" });
  const merged = main();
  const { id, cwd } = record;
  const trash = join(fixture.home, "trash");
  /** As before the undo: nothing of it happened. */
  const expectFinished = async (asked = sessions) => {
    expect(main()).toBe(merged);
    expect(git(repository, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(repository, "work.txt"), "utf8")).toBe("w\n");
    expect((await asked.show({ session: id })).record).toMatchObject({ state: "decommissioned", intent: null, finished: { to: merged } });
  };
  const expectUndone = async (asked = sessions) => {
    expect(main()).toBe(before);
    expect(git(repository, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(cwd, "work.txt"), "utf8")).toBe("w\n");
    expect((await asked.show({ session: id })).record).toMatchObject({ state: "stopped", intent: null, finished: null });
  };
  return { id, cwd, trash, before, merged, main, expectFinished, expectUndone };
}

describe("the undo of a finish whose workspace cannot be restored", { timeout: 240_000 }, () => {
  test("moves nothing when the workspace has left the trash", async () => {
    using fixture = repositoryFixture();
    const { trash, expectFinished } = await finished(fixture);
    rmSync(trash, { recursive: true });
    await expect(fixture.sessions.undo({})).rejects.toMatchObject({ code: "WORKSPACE_GONE", effect: "none" });
    await expectFinished();
  });

  test("moves nothing when its path is in use, and succeeds once the path is free", async () => {
    using fixture = repositoryFixture();
    const { cwd, expectFinished, expectUndone } = await finished(fixture);
    mkdirSync(cwd);
    await expect(fixture.sessions.undo({})).rejects.toMatchObject({ code: "TARGET_EXISTS", effect: "none" });
    await expectFinished();
    rmSync(cwd, { recursive: true });
    await fixture.sessions.undo({});
    await expectUndone();
  });

  test("moves the branch and its checkout forward again when the restore fails later", async () => {
    using fixture = repositoryFixture();
    const { cwd, expectFinished, expectUndone } = await finished(fixture);
    fixture.onStep((step) => {
      if (step === "undo.target_back") mkdirSync(cwd);
    });
    await expect(fixture.sessions.undo({})).rejects.toMatchObject({ code: "TARGET_EXISTS", effect: "none" });
    await expectFinished();
    fixture.onStep(() => undefined);
    rmSync(cwd, { recursive: true });
    await fixture.sessions.undo({});
    await expectUndone();
  });

  test("reports the commit of the branch when that cannot be moved either, and is completed later", async () => {
    using fixture = repositoryFixture({ "theirs.txt": "t\n" });
    const { id, cwd, expectUndone } = await finished(fixture);
    const theirs = join(fixture.repository, "theirs.txt");
    fixture.onStep((step) => {
      if (step !== "undo.target_back") return;
      mkdirSync(cwd);
      writeFileSync(theirs, "dirty\n");
    });
    await expect(fixture.sessions.undo({})).rejects.toMatchObject({
      code: "TARGET_EXISTS",
      effect: "unknown",
      message: expect.stringMatching(/main was moved back to [0-9a-f]{12} before, and could not be moved again/),
      details: { ref: "refs/heads/main" },
    });
    fixture.onStep(() => undefined);
    expect((await fixture.sessions.show({ session: id })).record).toMatchObject({ state: "decommissioned", intent: { op: "undo" } });
    rmSync(cwd, { recursive: true });
    fixture.git(fixture.repository, "checkout", "--quiet", "--", "theirs.txt");
    const again = fixture.restarted();
    await again.reconcile();
    await expectUndone(again);
  });

  test("also moves the branch forward again after a crash in between", async () => {
    using fixture = repositoryFixture();
    const { cwd, expectFinished } = await finished(fixture);
    fixture.crashAt("undo.target_back");
    await expect(fixture.sessions.undo({})).rejects.toBe(CRASH);
    fixture.crashAt(null);
    expect(existsSync(join(fixture.repository, "work.txt"))).toBe(false);
    mkdirSync(cwd);
    const again = fixture.restarted();
    await again.reconcile();
    await expectFinished(again);
  });

  describe("after a crash between the branch and its checkout", () => {
    async function crashed(fixture: RepositoryFixture) {
      const of = await finished(fixture);
      fixture.crashInWorkspaceAt("workspace.target_moved");
      await expect(fixture.sessions.undo({})).rejects.toBe(CRASH);
      fixture.crashInWorkspaceAt(null);
      expect([of.main(), existsSync(join(fixture.repository, "work.txt"))]).toEqual([of.before, true]);
      return of;
    }

    test("moves the branch forward again, with its checkout", async () => {
      using fixture = repositoryFixture();
      const { cwd, expectFinished, expectUndone } = await crashed(fixture);
      mkdirSync(cwd);
      const again = fixture.restarted();
      await again.reconcile();
      await expectFinished(again);
      rmSync(cwd, { recursive: true });
      await again.undo({});
      await expectUndone(again);
    });

    test.each([
      ["another file", "theirs.txt"],
      ["a merged file", "work.txt"],
    ])("keeps an edit of %s in the checkout, and is completed later", async (_, name) => {
      using fixture = repositoryFixture({ "theirs.txt": "t\n" });
      const { id, cwd, expectUndone } = await crashed(fixture);
      const { git, repository } = fixture;
      const edited = join(repository, name);
      writeFileSync(edited, "mine\n");
      mkdirSync(cwd);
      const again = fixture.restarted();
      await expect(again.undo({})).rejects.toMatchObject({ code: "TARGET_EXISTS", effect: "unknown" });
      expect(readFileSync(edited, "utf8")).toBe("mine\n");
      expect((await again.show({ session: id })).record).toMatchObject({ state: "decommissioned", intent: { op: "undo" } });
      rmSync(cwd, { recursive: true });
      rmSync(edited);
      if (name === "theirs.txt") git(repository, "checkout", "--quiet", "--", name);
      await again.reconcile();
      await expectUndone(again);
    });
  });

  test("does not change another branch that is now checked out in the target's checkout", async () => {
    using fixture = repositoryFixture();
    const { id, cwd, before, merged, main } = await finished(fixture);
    const { git, repository, sessions } = fixture;
    git(repository, "switch", "--quiet", "-c", "fix", before);
    mkdirSync(cwd);
    await expect(sessions.undo({})).rejects.toMatchObject({ code: "TARGET_EXISTS", effect: "none" });
    expect(main()).toBe(merged);
    expect(git(repository, "symbolic-ref", "HEAD").trim()).toBe("refs/heads/fix");
    expect(git(repository, "status", "--porcelain")).toBe("");
    expect(existsSync(join(repository, "work.txt"))).toBe(false);
    expect((await sessions.show({ session: id })).record).toMatchObject({ state: "decommissioned", intent: null });
  });

  test("leaves the index of the checkout as the user set it, when nothing was moved", async () => {
    using fixture = repositoryFixture();
    const { cwd, before, merged, main } = await finished(fixture);
    const { git, repository, sessions } = fixture;
    git(repository, "read-tree", before);
    mkdirSync(cwd);
    const status = git(repository, "status", "--porcelain");
    await expect(sessions.undo({})).rejects.toMatchObject({
      code: "TARGET_EXISTS",
      effect: "none",
      message: expect.not.stringContaining("moved back"),
    });
    expect(git(repository, "status", "--porcelain")).toBe(status);
    rmSync(cwd, { recursive: true });
    await expect(sessions.undo({})).rejects.toMatchObject({ code: "FINISH_REFUSED", effect: "none" });
    expect(git(repository, "status", "--porcelain")).toBe(status);
    expect(main()).toBe(merged);
  });

  test("keeps the staged work of a user who moved the branch back", async () => {
    using fixture = repositoryFixture();
    const { before, main } = await finished(fixture);
    const { git, repository, sessions } = fixture;
    git(repository, "reset", "--quiet", "--soft", before);
    await sessions.undo({});
    expect(main()).toBe(before);
    expect(git(repository, "status", "--porcelain")).toBe("A  work.txt\n");
  });

  test("reports no move back when a crash came before it and the checkout cannot move", async () => {
    using fixture = repositoryFixture();
    const { cwd, before, merged, main } = await finished(fixture);
    const { git, repository } = fixture;
    fixture.crashAt("undo.intended");
    await expect(fixture.sessions.undo({})).rejects.toBe(CRASH);
    fixture.crashAt(null);
    git(repository, "read-tree", before);
    writeFileSync(join(repository, "work.txt"), "mine\n");
    mkdirSync(cwd);
    await expect(fixture.restarted().undo({})).rejects.toMatchObject({
      code: "TARGET_EXISTS",
      effect: "unknown",
      message: expect.stringMatching(/main is at [0-9a-f]{12}, but its checkout may not be/),
    });
    expect(main()).toBe(merged);
    expect(readFileSync(join(repository, "work.txt"), "utf8")).toBe("mine\n");
  });
});
