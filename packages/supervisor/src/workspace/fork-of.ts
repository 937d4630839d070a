import type { ForkPoint, Workspace } from "@tmpm/core";
import type { DirectoryFacts } from "@tmpm/workspace";

/** Where work in a directory begins: at its HEAD. Null outside of a repository. */
export function forkOfDirectory(directory: DirectoryFacts): ForkPoint | null {
  const git = directory.kind === "directory" ? directory.git : null;
  if (git === null) return null;
  return { commit: git.commit, ref: git.branch === null ? null : `refs/heads/${git.branch}`, remote: git.remote };
}

/** Where work in a workspace begins: at its base. That of a clone is known once it is made. */
export function forkOfWorkspace({ base, base_ref }: Workspace, remote: string | null): ForkPoint {
  return { commit: base, ref: base_ref, remote };
}
