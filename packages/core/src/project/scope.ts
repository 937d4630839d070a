import type { Correlation } from "../session/record.js";

/** An action to compare with a session's scope. Paths are absolute. */
export interface ScopedAction {
  readonly paths: readonly string[];
  readonly issue_ids: readonly number[];
}

/** Only `in_scope` is a pass: a session without a correlation is undetermined. */
export type Scope =
  | { readonly kind: "uncorrelated" }
  | { readonly kind: "in_scope" }
  | { readonly kind: "out_of_scope"; readonly stray_paths: readonly string[]; readonly foreign_issue_ids: readonly number[] };

/** Compares an action with the session's worktree and issue; an unset one does not count against it (trusty-mpm 1.2). */
export function scopeOf(correlation: Correlation, { paths, issue_ids }: ScopedAction): Scope {
  const { worktree, branch, pr_id, issue_id } = correlation;
  if (worktree === null && branch === null && pr_id === null && issue_id === null) return { kind: "uncorrelated" };
  const stray_paths = worktree === null ? [] : paths.filter((path) => !isWithin(path, worktree));
  const foreign_issue_ids = issue_id === null ? [] : issue_ids.filter((id) => id !== issue_id);
  if (stray_paths.length === 0 && foreign_issue_ids.length === 0) return { kind: "in_scope" };
  return { kind: "out_of_scope", stray_paths, foreign_issue_ids };
}

/** Whether an absolute path is the directory or below it, by whole names; `..` is resolved first. */
export function isWithin(path: string, directory: string): boolean {
  const inner = partsOf(path);
  return partsOf(directory).every((part, index) => inner[index] === part);
}

function partsOf(path: string): readonly string[] {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts;
}
