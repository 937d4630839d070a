import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openLab, SESSION } from "./workspace-lab.js";

describe("fetching before a worktree is made", { timeout: 120_000 }, () => {
  test("starts from what the remote has now", async () => {
    using lab = openLab();
    const other = join(lab.below, "other");
    lab.git(lab.below, "clone", "--quiet", join(lab.below, "origin.git"), "other");
    lab.git(other, "commit", "--quiet", "--allow-empty", "-m", "newer");
    lab.git(other, "push", "--quiet", "origin", "main");
    const newer = lab.git(other, "rev-parse", "HEAD").trim();
    const request = requestIn(lab.source.path, "origin/main");
    expect((await lab.spaces.plan(request)).base).not.toBe(newer);
    const before = lab.source.git("rev-parse", "HEAD");
    await lab.spaces.fetch(request);
    expect(await lab.spaces.plan(request)).toMatchObject({ base: newer, base_ref: "refs/remotes/origin/main" });
    expect(lab.source.git("rev-parse", "HEAD")).toBe(before);
    expect(lab.source.git("status", "--porcelain")).toBe("");
  });

  test("is refused where nothing says from which remote", async () => {
    using lab = openLab();
    lab.source.git("remote", "rename", "origin", "a");
    lab.source.git("remote", "add", "b", join(lab.below, "origin.git"));
    await expect(lab.spaces.fetch(requestIn(lab.source.path, "main"))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      hint: expect.stringContaining("a/main"),
    });
    await lab.spaces.fetch(requestIn(lab.source.path, "b/main"));
    expect(lab.source.git("for-each-ref", "--format=%(refname)", "refs/remotes/b").trim()).toBe("refs/remotes/b/main");
    lab.source.git("remote", "remove", "a");
    lab.source.git("remote", "remove", "b");
    await expect(lab.spaces.fetch(requestIn(lab.source.path, "main"))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("runs no program that the repository names, and no transport but that of the URL", async () => {
    using lab = openLab();
    lab.source.git("config", "remote.origin.uploadpack", "false");
    await lab.spaces.fetch(requestIn(lab.source.path, "origin/main"));
    lab.source.git("config", "remote.origin.url", "ext::sh -c false");
    await expect(lab.spaces.fetch(requestIn(lab.source.path, "origin/main"))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

function requestIn(directory: string, base: string) {
  return { sessionId: SESSION, name: "demo", projectId: "default", source: { kind: "worktree", directory } as const, branch: null, base };
}
