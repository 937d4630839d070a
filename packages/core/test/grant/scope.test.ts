import { Correlation, isWithin, type Project, projectOf, scopeOf } from "@tmpm/core";
import { describe, expect, test } from "vitest";

const none = Correlation.parse({});

describe("scopeOf", () => {
  const touched = { paths: ["/w/a/src/x.ts"], issue_ids: [7] };

  test.each([
    { correlation: {}, scope: { kind: "uncorrelated" } },
    { correlation: { worktree: "/w/a" }, scope: { kind: "in_scope" } },
    { correlation: { worktree: "/w/a", issue_id: 7 }, scope: { kind: "in_scope" } },
    { correlation: { branch: "b" }, scope: { kind: "in_scope" } },
    { correlation: { pr_id: 3, issue_id: 8 }, scope: { kind: "out_of_scope", stray_paths: [], foreign_issue_ids: [7] } },
    {
      correlation: { worktree: "/w/b", issue_id: 8 },
      scope: { kind: "out_of_scope", stray_paths: ["/w/a/src/x.ts"], foreign_issue_ids: [7] },
    },
  ])("$scope.kind for a session with $correlation", ({ correlation, scope }) => {
    expect(scopeOf({ ...none, ...correlation }, touched)).toEqual(scope);
  });
});

describe("isWithin", () => {
  test.each([
    { path: "/w/a", directory: "/w/a/", within: true },
    { path: "/w/a/b", directory: "/w/a", within: true },
    { path: "/w/ab", directory: "/w/a", within: false },
    { path: "/w/a/../b", directory: "/w/a", within: false },
    { path: "/w/./a/./c", directory: "/w/a", within: true },
    { path: "/w", directory: "/w/a", within: false },
    { path: "/", directory: "/", within: true },
  ])("compares whole names: $path in $directory is $within", ({ path, directory, within }) => {
    expect(isWithin(path, directory)).toBe(within);
  });
});

describe("projectOf", () => {
  const project = (path: string): Project => ({
    id: path.slice(1).replaceAll("/", "-"),
    path,
    name: path,
    registered_at: "2026-01-01T00:00:00Z",
    budget: null,
    told_budget: [],
  });

  test("picks the innermost project, in any order", () => {
    const projects = [project("/w"), project("/w/a/b"), project("/w/a"), project("/x")];
    expect(projectOf("/w/a/b/c", projects)?.path).toBe("/w/a/b");
    expect(projectOf("/w/a/b/c", projects.toReversed())?.path).toBe("/w/a/b");
    expect(projectOf("/w/other", projects)?.path).toBe("/w");
    expect(projectOf("/elsewhere", projects)).toBeNull();
  });
});
