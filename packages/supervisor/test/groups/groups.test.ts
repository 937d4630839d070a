import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryFixture } from "../fixtures/repository-fixture.js";

type RepositoryFixture = ReturnType<typeof repositoryFixture>;

async function fanned(fixture: RepositoryFixture, more: { readonly group?: string; readonly check?: string } = {}) {
  // The output of `git config`, without two more processes.
  appendFileSync(join(fixture.repository, ".git", "config"), "[user]\n\tname = Demo\n\temail = demo@example.com\n");
  const made = await fixture.sessions.fan({
    cwd: fixture.repository,
    members: [{ agent: "shell" }, { agent: "shell" }, { agent: "shell" }],
    group: "try",
    ...more,
  });
  const cwds = made.sessions.map(({ session }) => session.record.cwd);
  return { ...made, cwds, cwd: (index: number) => cwds[index] ?? "" };
}

function work(fixture: RepositoryFixture, cwd: string, name: string): void {
  writeFileSync(join(cwd, name), "w\n");
  fixture.git(cwd, "add", "--all");
  fixture.git(cwd, "commit", "--quiet", "-m", `add ${name}`);
}

const names = (of: readonly { readonly session: { readonly record: { readonly name: string } } }[]) =>
  of.map(({ session }) => session.record.name);

describe("a group of sessions", { timeout: 240_000 }, () => {
  test("starts from one commit, each in its own worktree, and reports members that cannot start", async () => {
    using fixture = repositoryFixture({ "a.txt": "a\n" });
    const made = await fanned(fixture);
    expect(made.group).toBe("try");
    expect(names(made.sessions)).toEqual(["try-1", "try-2", "try-3"]);
    expect(new Set(made.cwds).size).toBe(3);
    const head = fixture.git(fixture.repository, "rev-parse", "HEAD").trim();
    expect(made.sessions.map(({ session }) => session.record.workspace?.base)).toEqual([head, head, head]);
    const mixed = await fixture.sessions.fan({ cwd: fixture.repository, members: [{ agent: "shell" }, { agent: "nobody" }] });
    expect(mixed).toMatchObject({ group: "proj", failed: [{ agent: "nobody", error: { code: "AGENT_UNKNOWN" } }] });
    expect(names(mixed.sessions)).toEqual(["proj-1"]);
    await expect(fixture.sessions.fan({ cwd: fixture.repository, members: [{ agent: "nobody" }] })).rejects.toMatchObject({
      code: "AGENT_UNKNOWN",
    });
    await expect(fanned(fixture)).rejects.toMatchObject({ code: "NAME_TAKEN" });
    expect((await fixture.sessions.fan({ cwd: fixture.repository, members: [{ agent: "shell" }] })).group).toBe("proj-2");
    await expect(fixture.sessions.group({ group: "nothing" })).rejects.toMatchObject({ code: "GROUP_NOT_FOUND" });
  });

  test("belongs to one caller, even if two start it at the same time", async () => {
    using fixture = repositoryFixture({ "a.txt": "a\n" });
    const fan = (group?: string) =>
      fixture.sessions.fan({ cwd: fixture.repository, members: [{ agent: "shell" }], ...(group === undefined ? {} : { group }) });
    const made = await Promise.all([fan(), fan(), fan()]);
    expect(made.map(({ group }) => group).sort()).toEqual(["proj", "proj-2", "proj-3"]);
    const same = await Promise.allSettled([fan("try"), fan("try")]);
    expect(same.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await fixture.sessions.group({ group: "try" })).members).toHaveLength(1);
    await expect(fixture.sessions.fan({ cwd: fixture.repository, members: [{ agent: "nobody" }], group: "free" })).rejects.toThrow();
    expect((await fan("free")).group).toBe("free");
  });

  test("is compared by each member's changes, and by its check", async () => {
    using fixture = repositoryFixture({ "a.txt": "a\n" });
    const { cwd } = await fanned(fixture, { check: "test -e good.txt" });
    work(fixture, cwd(0), "good.txt");
    writeFileSync(join(cwd(1), "bad.txt"), "1\n2\n");
    const seen = await fixture.sessions.group({ group: "try" });
    expect(seen.members.map(({ changes, checked }) => [changes, checked])).toEqual([
      [{ files: 1, added: 1, removed: 0 }, null],
      [{ files: 1, added: 2, removed: 0 }, null],
      [{ files: 0, added: 0, removed: 0 }, null],
    ]);
    const checked = await fixture.sessions.checkGroup({ group: "try" });
    expect(checked.members.map((each) => each.checked?.failure)).toEqual([null, "ended with status 1", "ended with status 1"]);
    const again = await fixture.sessions.checkGroup({ group: "try", check: "echo is it; test -e bad.txt" });
    expect(again.check).toBe("echo is it; test -e bad.txt");
    expect(again.members.map((each) => [each.checked?.failure, each.checked?.last_lines])).toEqual([
      ["ended with status 1", ["is it"]],
      [null, ["is it"]],
      ["ended with status 1", ["is it"]],
    ]);
    expect(fixture.types()).toContain("session_checked");
  });

  test("ends once one is picked: that one is merged, the others go to the trash and can be restored; unsaved work stays", async () => {
    using fixture = repositoryFixture({ "a.txt": "a\n" });
    const { cwd } = await fanned(fixture);
    work(fixture, cwd(0), "one.txt");
    work(fixture, cwd(1), "two.txt");
    writeFileSync(join(cwd(2), "unsaved.txt"), "u\n");
    const preview = await fixture.sessions.pick({ session: "try-2", how: "squash", dry_run: true });
    expect(preview).toMatchObject({
      dry_run: true,
      rest: [
        { name: "try-1", outcome: "kept" },
        { name: "try-3", outcome: "kept" },
      ],
    });
    writeFileSync(join(fixture.repository, "a.txt"), "dirty\n");
    work(fixture, cwd(1), "a.txt");
    await expect(fixture.sessions.pick({ session: "try-2", how: "squash" })).rejects.toMatchObject({ code: "FINISH_REFUSED" });
    expect(existsSync(cwd(0))).toBe(true);
    fixture.git(fixture.repository, "checkout", "--quiet", "a.txt");
    const picked = await fixture.sessions.pick({ session: "try-2", how: "squash" });
    expect(picked).toMatchObject({
      finished: { ref: "refs/heads/main" },
      rest: [
        { name: "try-1", outcome: "removed", why: null },
        { name: "try-3", outcome: "kept", why: expect.stringContaining("1 file untracked") },
      ],
    });
    expect(existsSync(join(fixture.repository, "two.txt"))).toBe(true);
    expect(existsSync(join(fixture.repository, "one.txt"))).toBe(false);
    expect([existsSync(cwd(0)), existsSync(cwd(2))]).toEqual([false, true]);
    expect(fixture.events.find(({ type }) => type === "session_picked")).toMatchObject({ group: "try" });
    await fixture.sessions.undo({ session: "try-1" });
    expect(existsSync(join(cwd(0), "one.txt"))).toBe(true);
    await fixture.sessions.undo({ session: "try-2" });
    expect(existsSync(join(fixture.repository, "two.txt"))).toBe(false);
    await fixture.sessions.create({ agent: "shell", cwd: fixture.repository, name: "alone" });
    await expect(fixture.sessions.pick({ session: "alone", how: "keep" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});
