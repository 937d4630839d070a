import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openFixture, SESSION } from "./workspace-fixture.js";

describe("fetching the base of a worktree", { timeout: 120_000 }, () => {
  test("starts from the remote's current commit", async () => {
    using fixture = openFixture();
    const other = join(fixture.below, "other");
    fixture.git(fixture.below, "clone", "--quiet", join(fixture.below, "origin.git"), "other");
    fixture.git(other, "commit", "--quiet", "--allow-empty", "-m", "newer");
    fixture.git(other, "push", "--quiet", "origin", "main");
    const newer = fixture.git(other, "rev-parse", "HEAD").trim();
    const request = requestIn(fixture.source.path, "origin/main");
    expect((await fixture.spaces.plan(request)).base).not.toBe(newer);
    const before = fixture.source.git("rev-parse", "HEAD");
    await fixture.spaces.fetch(request);
    expect(await fixture.spaces.plan(request)).toMatchObject({ base: newer, base_ref: "refs/remotes/origin/main" });
    expect(fixture.source.git("rev-parse", "HEAD")).toBe(before);
    expect(fixture.source.git("status", "--porcelain")).toBe("");
  });

  test("is rejected when no remote is configured", async () => {
    using fixture = openFixture();
    fixture.source.git("remote", "rename", "origin", "a");
    fixture.source.git("remote", "add", "b", join(fixture.below, "origin.git"));
    await expect(fixture.spaces.fetch(requestIn(fixture.source.path, "main"))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      hint: expect.stringContaining("a/main"),
    });
    await fixture.spaces.fetch(requestIn(fixture.source.path, "b/main"));
    expect(fixture.source.git("for-each-ref", "--format=%(refname)", "refs/remotes/b").trim()).toBe("refs/remotes/b/main");
    fixture.source.git("remote", "remove", "a");
    fixture.source.git("remote", "remove", "b");
    await expect(fixture.spaces.fetch(requestIn(fixture.source.path, "main"))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("runs no program configured in the repository, and no transport but the URL's", async () => {
    using fixture = openFixture();
    fixture.source.git("config", "remote.origin.uploadpack", "false");
    await fixture.spaces.fetch(requestIn(fixture.source.path, "origin/main"));
    fixture.source.git("config", "remote.origin.url", "ext::sh -c false");
    await expect(fixture.spaces.fetch(requestIn(fixture.source.path, "origin/main"))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

function requestIn(directory: string, base: string) {
  return { sessionId: SESSION, name: "demo", projectId: "default", source: { kind: "worktree", directory } as const, branch: null, base };
}
