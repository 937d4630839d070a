import { join } from "node:path";
import { parseSlug, TmpmError, type Workspace } from "@tmpm/core";
import { parseSource } from "../clone/repository-source.js";
import type { WorkspaceContext } from "../context.js";
import { examinePath } from "../files/examine-path.js";
import { requireNotCheckedOut } from "../git/branch-holder.js";
import { parseBranch } from "../git/branch-name.js";
import { chooseBranch } from "../git/choose-branch.js";
import { type FoundRepository, findRepository, noRepository } from "../git/find-repository.js";
import { placesIn } from "./places.js";

export interface WorkspaceRequest {
  readonly sessionId: string;
  readonly name: string;
  readonly projectId: string;
  /** A work tree of the directory's repository, or a clone of a URL or of a directory; both absolute. */
  readonly source: { readonly kind: "worktree"; readonly directory: string } | { readonly kind: "clone"; readonly from: string };
  /**
   * An existing branch is used as it is; any other revision is the start of a branch of ours. Without one, a branch `tmpm/<name>` is made.
   */
  readonly branch: string | null;
  /** The revision that a new branch starts from; the directory's HEAD by default. */
  readonly base?: string | null;
}

/**
 * Plans a workspace without writing.
 * @throws INVALID_ARGUMENT, NAME_TAKEN, DIRECTORY_NOT_FOUND, REPOSITORY_NOT_FOUND, BRANCH_IN_USE, GIT_FAILED, PREREQUISITE_MISSING
 */
export async function planWorkspace(ctx: WorkspaceContext, request: WorkspaceRequest): Promise<Workspace> {
  const { root } = await placesIn(ctx.home);
  const project = parseSlug(request.projectId, "project");
  parseSlug(request.name);
  const common = {
    path: join(root, project, `${request.name.slice(0, 54)}-${request.sessionId.slice(0, 8)}`),
    nonce: ctx.newNonce(),
    identity: null,
    trashed: null,
  };
  if (request.source.kind === "clone") return { ...common, ...(await planClone(ctx, request.source.from, request)) };
  return { ...common, ...(await planWorktree(ctx, request.source.directory, request)) };
}

type Planned = Omit<Workspace, "path" | "nonce" | "identity" | "trashed">;

/** The start of its branch, and whether the remote has the branch, are unknown before the clone exists. */
async function planClone(ctx: WorkspaceContext, from: string, request: WorkspaceRequest): Promise<Planned> {
  const source = parseSource(from);
  const found = source.protocols === "file" ? await requireRepository(ctx, from) : null;
  const branch = request.branch === null ? `tmpm/${request.name}` : await parseBranch(request.branch, { env: ctx.env });
  return {
    kind: "clone",
    source: found?.place ?? source.shown,
    repository: null,
    branch,
    branch_made: request.branch === null,
    base: null,
    base_ref: null,
    folder: found?.folder ?? "",
    notes: [],
  };
}

async function planWorktree(ctx: WorkspaceContext, directory: string, request: WorkspaceRequest): Promise<Planned> {
  if (request.branch !== null) await parseBranch(request.branch, { env: ctx.env });
  const { place, gitDir, folder, head } = await requireRepository(ctx, directory);
  if (head.commit === null) {
    const hint = `Make its first commit: \`git -C ${place} commit --allow-empty -m first\`.`;
    throw noRepository(directory, { reason: "it has no commit yet, so no work tree can be made from it", hint });
  }
  const options = { directory: place, env: ctx.env, timeoutMs: ctx.lookMs };
  const chosen = await chooseBranch(options, { branch: request.branch, base: request.base ?? null, name: request.name, head });
  const notes = chosen.branch_made
    ? []
    : await requireNotCheckedOut(options, { branch: chosen.branch, root: (await placesIn(ctx.home)).root });
  return { kind: "worktree", source: place, repository: gitDir, folder, ...chosen, notes: [...chosen.notes, ...notes] };
}

/** @throws DIRECTORY_NOT_FOUND, REPOSITORY_NOT_FOUND, GIT_FAILED */
export async function requireRepository(ctx: WorkspaceContext, directory: string): Promise<FoundRepository> {
  const place = await examinePath(directory);
  if (place.kind !== "directory") throw notThere(directory);
  return findRepository(place.realPath, { env: ctx.env, timeoutMs: ctx.lookMs });
}

function notThere(path: string): TmpmError {
  return new TmpmError("DIRECTORY_NOT_FOUND", `${JSON.stringify(path)} is not a directory that can be opened`, { details: { path } });
}
