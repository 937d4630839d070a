import { describe, expect, test } from "vitest";
import { gitIn } from "./repository.js";
import { filledOnce, openFilled, openFixture, type WorkspaceFixture } from "./workspace-fixture.js";

const at = { old: "", main: "", v1: "", topic: "" };
const past = filledOnce((source) => {
  const git = (...args: readonly string[]) => gitIn(source, args);
  const commit = (subject: string) => {
    git("commit", "--quiet", "--allow-empty", "-m", subject);
    return git("rev-parse", "HEAD").trim();
  };
  git("checkout", "--quiet", "-b", "old");
  at.old = commit("old");
  git("checkout", "--quiet", "--detach");
  at.v1 = commit("v1");
  git("tag", "--annotate", "-m", "v1", "v1");
  at.topic = commit("topic");
  git("push", "--quiet", "origin", "HEAD:refs/heads/topic", "v1");
  at.main = commit("main");
  git("push", "--quiet", "origin", "HEAD:refs/heads/main");
  git("checkout", "--quiet", "old");
});

/** On branch `old`, one commit behind `main` of the remote; the tag `v1` and the remote's branch `topic` are at separate commits. */
function openPast(): { readonly fixture: WorkspaceFixture; readonly at: Readonly<typeof at> } {
  return { fixture: openFilled(past()), at };
}

const upstreamOf = (fixture: WorkspaceFixture, branch: string) =>
  fixture.source.git("for-each-ref", "--format=%(upstream:short)", `refs/heads/${branch}`).trim();

/** Values of `--branch` and `--base`, and their results on branch `old`. */
const NAMED = [
  { branch: null, base: null, made: "tmpm/demo", from: "old", ref: "refs/heads/old", upstream: "" },
  { branch: "fresh", base: null, made: "fresh", from: "old", ref: "refs/heads/old", upstream: "" },
  { branch: "topic", base: null, made: "topic", from: "topic", ref: "refs/remotes/origin/topic", upstream: "origin/topic" },
  { branch: "origin/main", base: null, made: "tmpm/demo", from: "main", ref: "refs/remotes/origin/main", upstream: "origin/main" },
  {
    branch: "remotes/origin/topic",
    base: null,
    made: "tmpm/demo",
    from: "topic",
    ref: "refs/remotes/origin/topic",
    upstream: "origin/topic",
  },
  { branch: "refs/heads/old", base: null, made: "tmpm/demo", from: "old", ref: "refs/heads/old", upstream: "" },
  { branch: "heads/old", base: null, made: "tmpm/demo", from: "old", ref: "refs/heads/old", upstream: "" },
  { branch: "v1", base: null, made: "tmpm/demo", from: "v1", ref: "refs/tags/v1", upstream: "" },
  { branch: "tags/v1", base: null, made: "tmpm/demo", from: "v1", ref: "refs/tags/v1", upstream: "" },
  { branch: "SHA", base: null, made: "tmpm/demo", from: "v1", ref: null, upstream: "" },
  { branch: "SHORT", base: null, made: "tmpm/demo", from: "v1", ref: null, upstream: "" },
  { branch: null, base: "origin/main", made: "tmpm/demo", from: "main", ref: "refs/remotes/origin/main", upstream: "origin/main" },
  { branch: "fresh", base: "v1", made: "fresh", from: "v1", ref: "refs/tags/v1", upstream: "" },
  { branch: "fresh", base: "SHA", made: "fresh", from: "v1", ref: null, upstream: "" },
  { branch: "fresh", base: "v1~1", made: "fresh", from: "old", ref: null, upstream: "" },
  { branch: "topic", base: "v1", made: "topic", from: "v1", ref: "refs/tags/v1", upstream: "" },
] as const;

describe("worktree branch", () => {
  test.each(NAMED)("for branch $branch and base $base is $made from $from", async ({ branch, base, made, from, ref, upstream }) => {
    const { fixture, at } = openPast();
    using _ = fixture;
    const meant = (text: string | null) => text?.replace("SHORT", at.v1.slice(0, 9)).replace("SHA", at.v1);
    const wish = { ...(branch === null ? {} : { branch: meant(branch) }), ...(base === null ? {} : { base: meant(base) }) };
    const workspace = await fixture.make("worktree", wish as { branch?: string; base?: string });
    expect(workspace).toMatchObject({ branch: made, branch_made: true, base: at[from], base_ref: ref });
    expect(fixture.git(workspace.path, "rev-parse", "HEAD").trim()).toBe(at[from]);
    expect(fixture.git(workspace.path, "branch", "--show-current").trim()).toBe(made);
    expect(upstreamOf(fixture, made)).toBe(upstream);
    expect(workspace.notes).toEqual(branch === null || made === branch ? [] : [expect.stringContaining(`branch ${made} starts there`)]);
  });

  test("is chosen the same way in a clone", async () => {
    const { fixture, at } = openPast();
    using _ = fixture;
    fixture.git(`${fixture.below}/origin.git`, "symbolic-ref", "HEAD", "refs/heads/main");
    for (const [name, branch, made, from] of [
      ["one", "v1", "tmpm/one", "v1"],
      ["two", "origin/topic", "tmpm/two", "topic"],
      ["three", "topic", "topic", "topic"],
      ["four", "fresh", "fresh", "main"],
    ] as const) {
      expect(await fixture.make("clone", { name, branch })).toMatchObject({ branch: made, base: at[from] });
    }
    expect(await fixture.make("clone", { name: "five", branch: "mine", base: "v1" })).toMatchObject({ branch: "mine", base: at.v1 });
    await expect(fixture.make("clone", { name: "six", base: "none" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT", effect: "none" });
  });

  test.each([
    { branch: "origin/typo", message: /branch typo of remote origin is not known/ },
    { branch: "refs/heads/none", message: /no ref refs\/heads\/none/ },
    { branch: "a".repeat(40), message: /no commit a+ here/ },
    { branch: "fresh", base: "none", message: /"none" is not a commit/ },
    { branch: "v1", base: "old", message: /v1 is the tag v1 already/ },
    { branch: "main", base: "old", message: /branch main already exists/ },
    { branch: "-f", message: /not a valid branch name/ },
    { branch: "a..b", message: /not a valid branch name/ },
    { branch: `${"é".repeat(101)}`, message: /not a valid branch name/ },
  ])("rejects $branch from $base and makes nothing", async ({ message, ...wish }) => {
    const { fixture } = openPast();
    using _ = fixture;
    const before = fixture.source.git("for-each-ref");
    await expect(fixture.make("worktree", wish)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(message),
    });
    expect(fixture.source.git("for-each-ref")).toBe(before);
  });

  test("on several remotes is ambiguous, unless git's configuration decides", async () => {
    const { fixture, at } = openPast();
    using _ = fixture;
    fixture.source.git("remote", "add", "fork", `${fixture.below}/origin.git`);
    fixture.source.git("fetch", "--quiet", "fork");
    await expect(fixture.make("worktree", { branch: "topic" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    fixture.source.git("config", "checkout.defaultRemote", "fork");
    expect(await fixture.make("worktree", { branch: "topic" })).toMatchObject({ base: at.topic, base_ref: "refs/remotes/fork/topic" });
  });

  test("has the upstream set by git's own configuration", async () => {
    const { fixture } = openPast();
    using _ = fixture;
    fixture.source.git("config", "branch.autoSetupMerge", "false");
    await fixture.make("worktree", { branch: "topic" });
    expect(upstreamOf(fixture, "topic")).toBe("");
  });

  test("leaves no configuration when removed, and gets it back when restored", async () => {
    const { fixture } = openPast();
    using _ = fixture;
    fixture.source.git("config", "branch.autoSetupRebase", "always");
    const workspace = await fixture.make("worktree", { branch: "origin/main" });
    const configured = () =>
      fixture.source
        .git("config", "--local", "--list")
        .split("\n")
        .filter((line) => line.startsWith("branch.tmpm/demo."));
    const before = configured();
    expect(before).toContain("branch.tmpm/demo.rebase=true");
    expect(await fixture.remove(workspace)).toMatchObject({ branch: { kind: "deleted" } });
    expect(configured()).toEqual([]);
    await fixture.restore(workspace);
    expect(configured()).toEqual(before);
  });
});

/** An existing branch, a requested one, and whether git would refuse the second because of the first. */
const OVERLAPPING = [
  { there: "a/b", wanted: "a" },
  { there: "a", wanted: "a/b" },
  { there: "a", wanted: "a/b/c" },
  { there: "\u00e9", wanted: "e\u0301" },
  { there: "Topic", wanted: "topic", ignoreCase: true },
  { there: "Topic", wanted: "topic/x", ignoreCase: true },
];

describe("branch name", () => {
  test.each(OVERLAPPING)("$wanted beside $there is rejected before anything is created", async ({ there, wanted, ignoreCase = false }) => {
    using fixture = openFixture();
    fixture.source.git("branch", there);
    if (ignoreCase) fixture.source.git("config", "core.ignorecase", "true");
    const refused = { code: "NAME_TAKEN", details: { branch: wanted, existing: there } };
    await expect(fixture.make("worktree", { branch: wanted })).rejects.toMatchObject(refused);
    expect(fixture.source.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  });

  test("gets the next free suffix when derived", async () => {
    for (const [there, made] of [
      ["tmpm/demo", "tmpm/demo-2"],
      ["tmpm/demo/below", "tmpm/demo-2"],
      ["tmpm", "tmpm-demo"],
      ["origin/tmpm/demo", "tmpm/demo-2"],
    ] as const) {
      using fixture = openFixture();
      if (there.startsWith("origin/")) fixture.source.git("push", "--quiet", "origin", `main:${there.slice(7)}`);
      else fixture.source.git("branch", there);
      expect(await fixture.make()).toMatchObject({ branch: made });
    }
  });

  test("may contain letters of any language, and differ in case on a case-sensitive file system", async () => {
    using fixture = openFixture();
    fixture.source.git("config", "core.ignorecase", "false");
    fixture.source.git("branch", "Topic");
    expect(await fixture.make("worktree", { name: "one", branch: "topic" })).toMatchObject({ branch: "topic", branch_made: true });
    expect(await fixture.make("worktree", { name: "two", branch: "größer/日本" })).toMatchObject({ branch: "größer/日本" });
  });
});
