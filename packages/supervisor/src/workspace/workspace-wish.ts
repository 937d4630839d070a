import { nameFromDir, nameFromTmuxName, TmpmError } from "@tmpm/core";
import type { WorkspaceRequest } from "@tmpm/workspace";

/** The requested workspace of a new session. Without `worktree` and `repo` it works in the directory as it is. */
export interface WorkspaceWish {
  readonly cwd: string;
  /** A URL, or an absolute directory. */
  readonly repo?: string | undefined;
  /** A work tree of the directory's repository instead of a clone. */
  readonly worktree?: boolean | undefined;
  /** Created when missing; by default a branch is made for the session. */
  readonly branch?: string | undefined;
  /** Start point of a new branch. */
  readonly base?: string | undefined;
  /** Fetch the remote first. */
  readonly fetch?: boolean | undefined;
}

/** The source of the workspace; null when none is requested. @throws INVALID_ARGUMENT */
export function workspaceSource({ cwd, repo, worktree, branch, base, fetch = false }: WorkspaceWish): WorkspaceRequest["source"] | null {
  if (fetch && !worktree) throw wrong("--fetch applies to worktrees only: a clone is already up to date", "fetch");
  if (fetch && base === undefined && branch === undefined) {
    throw wrong("--fetch needs a start point: name it with --base, such as --base origin/main", "fetch");
  }
  if (worktree) {
    if (repo !== undefined && !repo.startsWith("/")) throw wrong("a worktree is made from a directory, not from a URL", "repo");
    return { kind: "worktree", directory: repo ?? cwd };
  }
  if (repo !== undefined) return { kind: "clone", from: repo };
  if (branch !== undefined) throw wrong("--branch needs a workspace: add --worktree or --repo", "branch");
  if (base !== undefined) throw wrong("--base needs a workspace: add --worktree or --repo", "base");
  return null;
}

function wrong(message: string, field: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { details: { field } });
}

/** The default name of a session for a repository. */
export function nameOfRepository(repo: string): string {
  return nameFromTmuxName(
    nameFromDir(
      repo
        .replace(/\/+$/, "")
        .replace(/\.git$/, "")
        .replace(/^.*:/, "/"),
    ),
  );
}
