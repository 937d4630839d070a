import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { askGh, forge } from "@tmpm/workspace";
import { describe, expect, test } from "vitest";
import type { Step } from "../../src/index.js";
import { type FakeHost, fakeHost, scriptedGh } from "../fixtures/fake-host.js";
import { CRASH } from "../fixtures/fixture.js";
import { repositoryFixture } from "../fixtures/repository-fixture.js";

const SHOWN = "https://host.example/demo/proj.git";

/** A session with one commit, in a repository with a remote at the host. */
async function proposing(host: FakeHost, through: Parameters<typeof forge>[0] = host.ask) {
  const fixture = repositoryFixture({ "a.txt": "a\n" }, { ports: { forge: forge(through) } });
  const { git, repository } = fixture;
  const remote = join(fixture.home, "..", "remote.git");
  // The result of a bare clone, `git remote add`, `git fetch` and `git config`, without a process for each.
  cpSync(join(repository, ".git"), remote, { recursive: true });
  writeFileSync(join(remote, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
  cpSync(join(repository, ".git", "refs", "heads"), join(repository, ".git", "refs", "remotes", "origin"), { recursive: true });
  const configured = `[remote "origin"]\n\turl = ${SHOWN}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[url "${remote}"]\n\tinsteadOf = ${SHOWN}\n`;
  appendFileSync(join(repository, ".git", "config"), `${configured}[user]\n\tname = Demo\n\temail = demo@example.com\n`);
  const task = "Fix the login\nIt fails twice.";
  const { session } = await fixture.sessions.create({ agent: "shell", cwd: repository, worktree: true, name: "demo", task });
  const { cwd } = session.record;
  const commit = (name: string) => {
    writeFileSync(join(cwd, name), "x\n");
    git(cwd, "add", "--all");
    git(cwd, "commit", "--quiet", "-m", `add ${name}`);
  };
  commit("one.txt");
  const published = () => git(remote, "for-each-ref", "--format=%(refname:short)=%(objectname)", "refs/heads").trim().split("\n");
  return { fixture, cwd, commit, published, remote, head: () => git(cwd, "rev-parse", "HEAD").trim() };
}

function writeHook(path: string, body: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

const finish = { session: "demo", how: "pr" } as const;

describe("finishing by a pull request", { timeout: 240_000 }, () => {
  test("previews without a request or a push, then pushes, opens and records it; the session continues", async () => {
    const host = fakeHost();
    const on = await proposing(host);
    using fixture = on.fixture;
    on.commit("two.txt");
    const before = [on.published(), fixture.git(fixture.repository, "for-each-ref")];
    const { pull_request: preview } = await fixture.sessions.finish({ ...finish, dry_run: true, draft: true });
    expect(preview).toMatchObject({
      plan: {
        branch: "tmpm/demo",
        base: "main",
        remote: "origin",
        address: { host: "host.example", owner: "demo", repository: "proj" },
        published: null,
        commit_count: 2,
        total: { files: 2, added: 2, removed: 0 },
        blocks: [],
      },
      title: "Fix the login",
      body: "It fails twice.",
      draft: true,
      number: null,
    });
    expect(host.log).toEqual([]);
    expect([on.published(), fixture.git(fixture.repository, "for-each-ref")]).toEqual(before);
    const done = await fixture.sessions.finish({ ...finish, draft: true });
    expect(done).toMatchObject({
      session: { record: { state: "active", claimed_pr_number: 7, claimed_pr_url: "https://host.example/demo/proj/pull/7" } },
      pull_request: { number: 7, existed: false },
      finished: null,
      workspace: null,
    });
    expect(on.published()).toContain(`tmpm/demo=${on.head()}`);
    expect(host.pulls).toMatchObject([{ head: "tmpm/demo", base: "main", title: "Fix the login", body: "It fails twice.", draft: true }]);
    expect(existsSync(on.cwd)).toBe(true);
    expect(fixture.types()).toContain("pull_request_opened");
    on.commit("three.txt");
    const again = await fixture.sessions.finish({ ...finish, message: "Another title" });
    expect(again.pull_request).toMatchObject({ number: 7, existed: true, title: "Another title" });
    expect(host.pulls).toHaveLength(1);
    expect(on.published()).toContain(`tmpm/demo=${on.head()}`);
  });

  test("rejects uncommitted work, nothing new, no remote and no host before a push", async () => {
    const host = fakeHost();
    const on = await proposing(host);
    using fixture = on.fixture;
    const refused = async (...codes: readonly string[]) => {
      const { pull_request } = await fixture.sessions.finish({ ...finish, dry_run: true });
      expect(pull_request?.plan.blocks.map(({ code }) => code)).toEqual(codes);
      await expect(fixture.sessions.finish(finish)).rejects.toMatchObject({ code: "FINISH_REFUSED", effect: "none" });
      expect(on.published()).toHaveLength(1);
      expect(host.log).toEqual([]);
    };
    writeFileSync(join(on.cwd, "more.txt"), "m\n");
    await refused("uncommitted");
    fixture.git(on.cwd, "reset", "--quiet", "--hard", "main");
    fixture.git(on.cwd, "clean", "--quiet", "-fd");
    await refused("nothing_new");
    on.commit("two.txt");
    fixture.git(fixture.repository, "remote", "set-url", "origin", on.remote);
    await refused("no_forge");
    fixture.git(fixture.repository, "remote", "remove", "origin");
    await refused("no_remote");
    fixture.git(on.cwd, "checkout", "--quiet", "--detach");
    await refused("no_branch");
  });

  test("removes the remote's name only at the beginning of a base, and not from a branch of that name", async () => {
    const on = await proposing(fakeHost());
    using fixture = on.fixture;
    const baseOf = async (into: string) => (await fixture.sessions.finish({ ...finish, dry_run: true, into })).pull_request?.plan.base;
    expect(await Promise.all(["origin/main", "refs/heads/main", "fix-origin/login"].map(baseOf))).toEqual([
      "main",
      "main",
      "fix-origin/login",
    ]);
    fixture.git(fixture.repository, "branch", "origin/main", "main");
    expect(await baseOf("origin/main")).toBe("origin/main");
  });

  test("commits uncommitted work only on request, and never pushes by force or around a hook", async () => {
    const host = fakeHost();
    const on = await proposing(host);
    using fixture = on.fixture;
    writeFileSync(join(on.cwd, "more.txt"), "m\n");
    await fixture.sessions.finish({ ...finish, commit: "Add more" });
    expect(fixture.git(on.cwd, "log", "-1", "--format=%s").trim()).toBe("Add more");
    const there = on.published();
    fixture.git(on.cwd, "commit", "--quiet", "--amend", "-m", "Rewritten");
    await expect(fixture.sessions.finish(finish)).rejects.toMatchObject({ code: "GIT_FAILED", effect: "none" });
    expect(on.published()).toEqual(there);
    fixture.git(on.cwd, "reset", "--quiet", "--hard", "refs/remotes/origin/tmpm/demo");
    on.commit("two.txt");
    const hook = join(fixture.repository, ".git", "hooks", "pre-push");
    fixture.git(fixture.repository, "config", "core.hooksPath", join(fixture.repository, ".git", "hooks"));
    writeHook(hook, "echo not today >&2; exit 1");
    await expect(fixture.sessions.finish(finish)).rejects.toMatchObject({ message: expect.stringContaining("not today") });
    expect(on.published()).toEqual(there);
  });

  test.each(["pull_request.committed", "pull_request.pushed", "pull_request.opened"] as const)(
    "after a crash at %s continues and opens no second one",
    async (step: Step) => {
      const host = fakeHost();
      const on = await proposing(host);
      using fixture = on.fixture;
      writeFileSync(join(on.cwd, "more.txt"), "m\n");
      fixture.crashAt(step);
      await expect(fixture.sessions.finish({ ...finish, commit: "Add more" })).rejects.toBe(CRASH);
      fixture.crashAt(null);
      const again = fixture.restarted();
      await again.reconcile();
      expect((await again.show({ session: "demo" })).record).toMatchObject({ state: "active", intent: null });
      await again.finish({ ...finish, commit: "Add more" });
      expect(host.pulls).toHaveLength(1);
      expect((await again.show({ session: "demo" })).record.claimed_pr_number).toBe(7);
      expect(fixture.git(on.cwd, "log", "--format=%s", "main..").trim().split("\n")).toEqual(["Add more", "add one.txt"]);
    },
  );

  test("uses the user's gh, and reports its failures", async () => {
    const host = fakeHost();
    let path = "/nonexistent";
    const on = await proposing(host, (request) => askGh({ env: { PATH: path }, timeoutMs: 120_000 })(request));
    using fixture = on.fixture;
    using gh = scriptedGh(host, fixture.home);
    await expect(fixture.sessions.finish(finish)).rejects.toMatchObject({
      code: "FORGE_FAILED",
      message: expect.stringContaining("not installed"),
    });
    path = gh.path;
    host.refusals.push({ status: 401 });
    await expect(fixture.sessions.finish(finish)).rejects.toMatchObject({
      code: "FORGE_FAILED",
      message: expect.stringContaining("answered 401"),
    });
    await fixture.sessions.finish({ ...finish, message: 'A "title"\n\nWith `text`\nand $more' });
    expect(host.pulls).toMatchObject([{ title: 'A "title"', body: "With `text`\nand $more" }]);
  });
});
