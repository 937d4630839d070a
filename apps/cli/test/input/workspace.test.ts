import { describe, expect, test } from "vitest";
import { repositoryAddress } from "../../src/input/repository-address.js";
import { workspaceEndNotes } from "../../src/render/workspace-end.js";

describe("the outcome of a workspace", () => {
  test("is shown with the day until which it can be restored, and its branch", () => {
    const end = { outcome: "trashed", path: "/w", trash_path: "/t", until: "2026-01-08T00:00:00Z" } as const;
    expect(workspaceEndNotes("demo", { ...end, branch: { name: "tmpm/demo", outcome: "deleted", why: null }, ignored: 0 })).toEqual([
      "demo: its workspace is in the trash until 2026-01-08; `tmpm undo demo` restores it",
      "demo: branch tmpm/demo was deleted",
    ]);
    expect(workspaceEndNotes("demo", { ...end, branch: null, ignored: 0 })).toHaveLength(1);
    const kept = { name: "a\u001b[31m", outcome: "kept", why: "it was there before" } as const;
    expect(workspaceEndNotes("demo", { ...end, branch: kept, ignored: 2 }).join("\n")).not.toContain("\u001b");
  });

  test("is reported if it was kept or no longer existed", () => {
    expect(workspaceEndNotes("demo", { outcome: "kept", path: "/w" })).toEqual(["demo: /w is kept, unmanaged"]);
    expect(workspaceEndNotes("demo", { outcome: "missing", path: "/w" })).toEqual(["demo: /w no longer existed"]);
  });
});

const HERE = {
  node: null,
  at: () => {
    throw new Error("no other machine is needed");
  },
};

describe("a repository's address", () => {
  test.each(["https://example.com/a.git", "ssh://git@example.com/a", "git@example.com:a/b.git", "ext::sh -c x", "file:///a"])(
    "%s is sent to the daemon unchanged",
    async (url) => {
      expect(await repositoryAddress(url, HERE)).toBe(url);
    },
  );

  test.each([".", "../proj", "/srv/proj", "proj"])("%s is a directory, relative to the current one", async (path) => {
    expect(await repositoryAddress(path, HERE)).toMatch(/^\//);
  });
});
