import { TmpmError, type Workspace } from "@tmpm/core";

/** The workspace to merge: an intact worktree. @throws INVALID_ARGUMENT */
export function requireMergeable(workspace: Workspace | null, name: string): Workspace {
  if (workspace !== null && workspace.kind === "worktree" && workspace.trashed === null) return workspace;
  const why =
    workspace?.kind === "clone" ? "works in a clone: push its branch from there" : "has no worktree that tmpm made: merge in its directory";
  throw new TmpmError("INVALID_ARGUMENT", `session ${name} ${why}`, {
    hint: "`--how keep` ends the session and leaves its directory unchanged.",
    details: { field: "how" },
  });
}
