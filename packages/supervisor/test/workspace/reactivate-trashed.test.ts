import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryFixture } from "../fixtures/repository-fixture.js";

/** A session whose merged work is on main and whose workspace is in the trash. */
async function finished() {
  const fixture = repositoryFixture();
  const { git, repository, sessions } = fixture;
  for (const [key, value] of [
    ["user.name", "Demo"],
    ["user.email", "demo@example.com"],
  ] as const)
    git(repository, "config", key, value);
  const { session } = await sessions.create({ agent: "shell", cwd: repository, worktree: true, name: "demo" });
  const { id, cwd } = session.record;
  writeFileSync(join(cwd, "work.txt"), "work\n");
  git(cwd, "add", ".");
  git(cwd, "commit", "--quiet", "-m", "work");
  const main = () => git(repository, "rev-parse", "main").trim();
  const before = main();
  await sessions.finish({ session: "demo", how: "merge" });
  return { fixture, id, cwd, main, before };
}

describe("a session with its workspace in the trash", { timeout: 240_000 }, () => {
  test("is not reactivated without it", async () => {
    const on = await finished();
    using fixture = on.fixture;
    const { record } = await fixture.sessions.show({ session: on.id });
    await expect(fixture.sessions.reactivate({ session: on.id })).rejects.toMatchObject({
      code: "INVALID_STATE",
      effect: "none",
      hint: expect.stringContaining("tmpm undo demo"),
    });
    expect((await fixture.sessions.show({ session: on.id })).record).toEqual(record);
    await fixture.sessions.undo({ session: on.id, keep_target: true });
    expect([existsSync(join(on.cwd, "work.txt")), on.main() === on.before]).toEqual([true, false]);
  });

  test.each([null, "undo.intended", "undo.target_back", "undo.restored", "undo.unarchived"] as const)(
    "that an earlier version reactivated is restored whole by undo, after a crash at %s, too",
    async (step) => {
      const on = await finished();
      using fixture = on.fixture;
      await fixture.store.update(on.id, (record) => ({ ...record, state: "stopped", terminal_at: null }));
      fixture.crashAt(step);
      const undone = fixture.sessions.undo({ session: on.id });
      if (step !== null) await expect(undone).rejects.toThrow();
      else await undone;
      fixture.crashAt(null);
      if (step !== null) await fixture.restarted().reconcile();
      const { record } = await fixture.restarted().show({ session: on.id });
      expect(record).toMatchObject({
        name: "demo",
        state: "stopped",
        finished: null,
        workspace: { trashed: null },
        workspace_path: on.cwd,
      });
      expect([existsSync(join(on.cwd, "work.txt")), on.main()]).toEqual([true, on.before]);
    },
  );
});
