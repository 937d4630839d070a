import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WORKSPACE_STEPS, type WorkspaceRequest, workspaces } from "../src/index.js";
import { sample } from "./sample.js";
import { FAILURE, openFixture, SESSION, type WorkspaceFixture, write } from "./workspace-fixture.js";

describe("worktree", () => {
  test("is private under the root, on its own branch at the directory's commit, without files of ours", async () => {
    using fixture = openFixture();
    const workspace = await fixture.make();
    expect(workspace).toMatchObject({
      kind: "worktree",
      path: join(fixture.home, "workspaces", "default", "demo-5b1e0c4e"),
      source: fixture.source.path,
      branch: "tmpm/demo",
      branch_made: true,
      base: fixture.source.git("rev-parse", "HEAD").trim(),
    });
    expect(readFileSync(join(workspace.path, "file.txt"), "utf8")).toBe("one\n");
    expect(statSync(workspace.path).mode & 0o777).toBe(0o700);
    expect(fixture.git(workspace.path, "status", "--porcelain", "--ignored")).toBe("");
    expect(fixture.git(workspace.path, "branch", "--show-current").trim()).toBe("tmpm/demo");
    expect(readdirSync(join(workspace.path, ".."))).toEqual(["demo-5b1e0c4e"]);
  });

  test("uses an existing branch without owning it, and rejects one that is checked out elsewhere", async () => {
    using fixture = openFixture();
    fixture.source.git("branch", "mine");
    expect(await fixture.make("worktree", { branch: "mine" })).toMatchObject({ branch: "mine", branch_made: false });
    await expect(fixture.make("worktree", { name: "other", branch: "main" })).rejects.toMatchObject({
      code: "BRANCH_IN_USE",
      details: { path: fixture.source.path },
    });
  });

  test("starts a new branch from the remote's branch of that name, and avoids the name of an old branch of ours", async () => {
    using fixture = openFixture();
    fixture.source.git("checkout", "--quiet", "-b", "theirs");
    fixture.source.git("commit", "--quiet", "--allow-empty", "-m", "theirs");
    fixture.source.git("push", "--quiet", "origin", "theirs");
    const theirs = fixture.source.git("rev-parse", "HEAD").trim();
    fixture.source.git("checkout", "--quiet", "main");
    fixture.source.git("branch", "--quiet", "-D", "theirs");
    expect(await fixture.make("worktree", { branch: "theirs" })).toMatchObject({ branch_made: true, base: theirs });
    fixture.source.git("branch", "tmpm/next");
    expect(await fixture.make("worktree", { name: "next" })).toMatchObject({ branch: "tmpm/next-2", branch_made: true });
  });

  test("requires a repository with a commit, and an existing directory", async () => {
    using fixture = openFixture();
    await expect(fixture.make("worktree", { from: fixture.home })).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
    await expect(fixture.make("worktree", { from: join(fixture.home, "none") })).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
    fixture.git(fixture.home, "init", "--quiet");
    await expect(fixture.make("worktree", { from: fixture.home })).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
    expect(existsSync(join(fixture.home, "workspaces"))).toBe(false);
  });

  test("reports PREREQUISITE_MISSING without git, not a missing repository", async () => {
    using fixture = openFixture();
    const without = workspaces({ home: fixture.home, env: { PATH: fixture.home } });
    const source = { kind: "worktree", directory: fixture.source.path } as const;
    await expect(without.plan({ sessionId: SESSION, name: "demo", projectId: "default", source, branch: null })).rejects.toMatchObject({
      code: "PREREQUISITE_MISSING",
    });
  });

  test("never takes over an existing directory", async () => {
    using fixture = openFixture();
    const path = join(fixture.home, "workspaces", "default", "demo-5b1e0c4e");
    write(join(path, "mine"), "mine");
    await expect(fixture.make()).rejects.toMatchObject({ code: "TARGET_EXISTS", effect: "none" });
    expect(readFileSync(join(path, "mine"), "utf8")).toBe("mine");
    expect(fixture.source.git("branch", "--list", "tmpm/*")).toBe("");
  });
});

describe("clone", () => {
  test("has its own branch, its remote and its own objects, and reports progress", async () => {
    using fixture = openFixture();
    const origin = join(fixture.below, "origin.git");
    const request = { sessionId: SESSION, name: "demo", projectId: "p", source: { kind: "clone", from: origin }, branch: null } as const;
    const plan = await fixture.spaces.plan(request);
    const steps: string[] = [];
    const workspace = await fixture.spaces.make(plan, { request, onProgress: ({ doing }) => steps.push(doing) });
    expect(workspace).toMatchObject({ kind: "clone", source: origin, repository: null, branch: "tmpm/demo", branch_made: true });
    expect(fixture.git(workspace.path, "branch", "--show-current").trim()).toBe("tmpm/demo");
    expect(fixture.git(workspace.path, "remote", "get-url", "origin").trim()).toBe(origin);
    expect(fixture.git(workspace.path, "status", "--porcelain")).toBe("");
    const objects = fixture.git(workspace.path, "rev-list", "--objects", "--all").length;
    expect(objects).toBeGreaterThan(0);
    expect(existsSync(join(workspace.path, ".git", "objects", "info", "alternates"))).toBe(false);
    expect(steps).toEqual(expect.arrayContaining(["Receiving objects", "Writing files"]));
  });

  test("checks out a remote branch by name, and creates a missing one", async () => {
    using fixture = openFixture();
    fixture.source.git("push", "--quiet", "origin", "main:theirs");
    expect(await fixture.make("clone", { branch: "theirs" })).toMatchObject({ branch: "theirs", branch_made: false });
    expect(await fixture.make("clone", { name: "two", branch: "fresh" })).toMatchObject({ branch: "fresh", branch_made: true });
    expect(await fixture.make("clone", { name: "three", branch: "main" })).toMatchObject({ branch: "main", branch_made: false });
  });

  test("of a repository without a commit has no base", async () => {
    using fixture = openFixture();
    const empty = join(fixture.below, "empty");
    fixture.git(fixture.below, "init", "--quiet", "--bare", empty);
    const workspace = await fixture.make("clone", { from: empty });
    expect(workspace.base).toBeNull();
    expect(fixture.git(workspace.path, "symbolic-ref", "HEAD").trim()).toBe("refs/heads/tmpm/demo");
    expect(await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ kind: "ours", reasons: [] });
  });

  test("leaves nothing when it fails, and gives the reason", async () => {
    using fixture = openFixture();
    const broken = join(fixture.below, "broken");
    fixture.git(fixture.below, "init", "--quiet", broken);
    write(join(broken, ".git", "refs", "heads", "main"), `${"1".repeat(40)}\n`);
    await expect(fixture.make("clone", { from: broken })).rejects.toMatchObject({ code: "GIT_FAILED", effect: "none" });
    expect(readdirSync(join(fixture.home, "workspaces", "default"))).toEqual([]);
  });

  test("of a directory without a repository is rejected before anything is created", async () => {
    using fixture = openFixture();
    await expect(fixture.make("clone", { from: fixture.home })).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
    for (const from of ["ext::sh -c true", "-u", "file:///etc", "https://user:secret@example.com/a", "http://example.com/a", "host:path"]) {
      await expect(fixture.make("clone", { from })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });
});

describe("interrupted creation", () => {
  const steps = WORKSPACE_STEPS.slice(0, WORKSPACE_STEPS.indexOf("workspace.filled") + 1);
  const kinds = ["worktree", "clone"] as const;
  /** By default each step of one of them, in order. */
  const cases = steps.flatMap((step, at) => (at % 2 === 0 ? kinds : kinds.toReversed()).map((kind) => ({ step, kind })));

  test.each(sample(cases, 2))("of a $kind at $step rolls back without a trace, and rolling back is idempotent", async ({ step, kind }) => {
    using fixture = openFixture();
    const plan = await planOf(fixture, kind);
    await fixture.killedAt(step, (spaces) => spaces.make(plan, { request: requestOf(fixture, kind) }));
    for (let time = 1; time <= 2; time++) await fixture.spaces.takeBack(plan, { sessionId: SESSION });
    expectNothingLeft(fixture);
  });

  test.each(sample(["workspace.reserved", "workspace.added", "workspace.filled"] as const, 3))(
    "rolls itself back on a failure at %s",
    async (step) => {
      using fixture = openFixture();
      const plan = await planOf(fixture, "worktree");
      fixture.failAt(step);
      await expect(fixture.spaces.make(plan, { request: requestOf(fixture, "worktree") })).rejects.toBe(FAILURE);
      expectNothingLeft(fixture);
    },
  );

  test("does not remove a foreign directory in its place", async () => {
    using fixture = openFixture();
    const plan = await planOf(fixture, "worktree");
    write(join(plan.path, "mine"), "mine");
    await expect(fixture.spaces.takeBack(plan, { sessionId: SESSION })).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
    expect(readFileSync(join(plan.path, "mine"), "utf8")).toBe("mine");
  });

  test("leaves a branch that was created or moved in the meantime", async () => {
    using fixture = openFixture();
    const plan = await planOf(fixture, "worktree");
    fixture.source.git("branch", plan.branch);
    await expect(fixture.spaces.make(plan, { request: requestOf(fixture, "worktree") })).rejects.toMatchObject({
      code: "GIT_FAILED",
      effect: "none",
    });
    expect(fixture.source.git("branch", "--list", plan.branch).trim()).toBe(plan.branch);
  });
});

function requestOf(fixture: WorkspaceFixture, kind: "worktree" | "clone"): WorkspaceRequest {
  const source = kind === "worktree" ? { kind, directory: fixture.source.path } : { kind, from: join(fixture.below, "origin.git") };
  return { sessionId: SESSION, name: "demo", projectId: "default", source, branch: null };
}

function planOf(fixture: WorkspaceFixture, kind: "worktree" | "clone") {
  return fixture.spaces.plan(requestOf(fixture, kind));
}

function expectNothingLeft(fixture: WorkspaceFixture): void {
  expect(readdirSync(join(fixture.home, "workspaces", "default"))).toEqual([]);
  expect(fixture.source.git("branch", "--list", "tmpm/*")).toBe("");
  expect(fixture.source.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
}
