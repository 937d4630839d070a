import type { ForkPoint, Workspace } from "@tmpm/core";
import type { DirectoryFacts } from "@tmpm/workspace";

/** The start of work in a directory: its HEAD. Null outside a repository. */
export function forkOfDirectory(directory: DirectoryFacts): ForkPoint | null {
  const git = directory.kind === "directory" ? directory.git : null;
  if (git === null) return null;
  return { commit: git.commit, ref: git.branch === null ? null : `refs/heads/${git.branch}`, remote: git.remote };
}

/** The start of work in a workspace: its base. That of a clone is known once it is made. */
export function forkOfWorkspace({ base, base_ref }: Workspace, remote: string | null): ForkPoint {
  return { commit: base, ref: base_ref, remote };
}
