import { TmpmError, type Workspace } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { exists } from "../files/exists.js";
import { requireNotCheckedOut } from "../git/branch-holder.js";
import { commitOf } from "../git/commit-of.js";
import { requireRevision } from "../git/revision.js";
import { type MakeOptions, makeWorkspace } from "./make-workspace.js";
import { placesIn } from "./places.js";
import { standingOf } from "./standing.js";
import { takeBackWorkspace } from "./take-back-workspace.js";

/**
 * Recreates a workspace whose directory is gone: at its path, on its branch's current commit. A missing branch starts again at its original
 * base.
 * May be called again after a crash. @throws TARGET_EXISTS for an existing path, and the errors of `makeWorkspace`
 */
export async function recreateWorkspace(ctx: WorkspaceContext, workspace: Workspace, options: MakeOptions): Promise<Workspace> {
  const { path, branch, branch_made } = workspace;
  const standing = await standingOf(workspace);
  if (standing.kind !== "missing" && standing.kind !== "unfinished") {
    throw new TmpmError("TARGET_EXISTS", `the workspace ${JSON.stringify(path)} already exists`, { details: { path } });
  }
  // Only the leftovers of a creation that a crash interrupted: the branch may hold work by now.
  const rest = { ...workspace, branch_made: false, identity: null };
  await takeBackWorkspace(ctx, rest, { sessionId: options.request.sessionId });
  const plan = { ...rest, ...(await branchAgain(ctx, workspace)) };
  const made = await makeWorkspace(ctx, plan, { ...options, request: { ...options.request, branch } });
  return { ...made, branch_made, base: workspace.base ?? made.base, base_ref: workspace.base_ref };
}

/** The start of the branch if it must be made again. */
async function branchAgain(ctx: WorkspaceContext, workspace: Workspace): Promise<Pick<Workspace, "branch_made" | "base" | "notes">> {
  const { repository, branch, base } = workspace;
  if (repository === null) return { branch_made: false, base: null, notes: [] };
  if (!(await exists(repository))) {
    throw new TmpmError("REPOSITORY_NOT_FOUND", `the repository ${JSON.stringify(repository)} no longer exists`, {
      hint: "If it was moved, set its new location with `tmpm set NAME --cwd DIR`.",
      details: { path: repository },
    });
  }
  const options = { directory: repository, env: ctx.env };
  const tip = await commitOf(`refs/heads/${branch}`, options);
  if (tip !== null)
    return {
      branch_made: false,
      base: tip,
      notes: [...(await requireNotCheckedOut(options, { branch, root: (await placesIn(ctx.home)).root }))],
    };
  const { commit } = await requireRevision(base ?? "HEAD", options);
  return { branch_made: true, base: commit, notes: [`branch ${branch} no longer existed and was recreated at ${commit.slice(0, 12)}`] };
}
