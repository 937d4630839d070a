import { basename, join } from "node:path";
import { TmpmError, type Workspace } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { examinePath } from "../files/examine-path.js";
import { exists } from "../files/exists.js";
import { findRepository } from "../git/find-repository.js";
import { requireGit } from "../git/require-git.js";
import { readMarker } from "./marker.js";
import { ownership } from "./ownership.js";

export interface RelinkOptions {
  readonly sessionId: string;
  /** Absolute path of any directory in the moved repository. */
  readonly directory: string;
}

/**
 * Reconnects a worktree to its moved repository. The marker in its git folder proves that it is the same one.
 * @throws DIRECTORY_NOT_FOUND, REPOSITORY_NOT_FOUND, INVALID_ARGUMENT when it is another repository, WORKSPACE_REFUSED, GIT_FAILED
 */
export async function relinkWorkspace(ctx: WorkspaceContext, workspace: Workspace, options: RelinkOptions): Promise<Workspace> {
  const { identity, path } = workspace;
  const place = await examinePath(options.directory);
  if (place.kind !== "directory") {
    throw new TmpmError("DIRECTORY_NOT_FOUND", `${JSON.stringify(options.directory)} is not a directory that can be opened`, {
      details: { path: options.directory },
    });
  }
  const found = await findRepository(place.realPath, { env: ctx.env, timeoutMs: ctx.lookMs });
  const gitDir = join(found.gitDir, "worktrees", basename(identity?.git_dir ?? ""));
  const { nonce } = workspace;
  const marker = identity === null || !(await exists(gitDir)) ? null : await readMarker(gitDir);
  if (identity === null || marker?.kind !== "found" || marker.marker.nonce !== nonce || marker.marker.session_id !== options.sessionId) {
    throw new TmpmError(
      "INVALID_ARGUMENT",
      `the repository at ${JSON.stringify(found.place)} is not the one that ${JSON.stringify(path)} is a worktree of`,
      {
        hint: "Name a directory in the repository that the workspace was made from, at its current location.",
        details: { field: "cwd", path: found.place },
      },
    );
  }
  const config = { "worktree.useRelativePaths": "false" };
  await requireGit(["worktree", "repair", "--", path], { directory: found.gitDir, env: ctx.env, effect: "unknown", config });
  const relinked = { ...workspace, source: found.place, repository: found.gitDir, identity: { ...identity, git_dir: gitDir } };
  const owned = await ownership(ctx, { workspace: relinked, sessionId: options.sessionId });
  if (owned.kind === "ours") return relinked;
  throw new TmpmError("GIT_FAILED", `${JSON.stringify(path)} is still not a work tree of that repository`, {
    details: { path, reason: owned.kind === "foreign" ? owned.reason.message : owned.kind },
  });
}
