import { join, resolve } from "node:path";
import { parseSlug, TmpmError, uniqueName, type Workspace } from "@tmpm/core";
import { parseBranch } from "./branch-name.js";
import { commitOf } from "./commit-of.js";
import type { WorkspaceContext } from "./context.js";
import { describeDirectory } from "./describe-directory.js";
import type { GitOptions } from "./git.js";
import { placesIn } from "./places.js";
import { parseSource } from "./repository-source.js";
import { requireGit } from "./require-git.js";
import { worktreesOf } from "./worktrees-of.js";

export interface WorkspaceRequest {
  readonly sessionId: string;
  readonly name: string;
  readonly projectId: string;
  /** A work tree of the repository that holds the directory, or a clone of a URL or of a directory; both absolute. */
  readonly source: { readonly kind: "worktree"; readonly directory: string } | { readonly kind: "clone"; readonly from: string };
  /** An existing branch is used as it is. Without one, a branch `tmpm/<name>` is made. */
  readonly branch: string | null;
}

/**
 * Decides what will be made, and writes nothing.
 * @throws INVALID_ARGUMENT, DIRECTORY_NOT_FOUND, REPOSITORY_NOT_FOUND, BRANCH_IN_USE, GIT_FAILED, PREREQUISITE_MISSING
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

type Planned = Pick<Workspace, "kind" | "source" | "repository" | "branch" | "branch_made" | "base">;

/** Whether the remote has the branch is not known before the clone is there. */
async function planClone(ctx: WorkspaceContext, from: string, request: WorkspaceRequest): Promise<Planned> {
  const source = parseSource(from);
  if (source.protocols === "file") await requireRepository(ctx, from);
  const branch = request.branch === null ? branchOf(request.name) : await parseBranch(request.branch, { env: ctx.env });
  return { kind: "clone", source: source.shown, repository: null, branch, branch_made: request.branch === null, base: null };
}

async function requireRepository(ctx: WorkspaceContext, directory: string): Promise<void> {
  const facts = await describeDirectory(directory, { env: ctx.env, timeoutMs: ctx.inspectMs });
  if (facts.kind !== "directory") throw notThere(directory);
  const options = { directory: facts.realPath, env: ctx.env };
  const found = await requireGit(["rev-parse", "--git-dir"], { ...options, accept: [0, 128] });
  if (found === "") throw noRepository(directory, facts.gitReason ?? "not a git repository");
}

async function planWorktree(ctx: WorkspaceContext, directory: string, request: WorkspaceRequest): Promise<Planned> {
  const wanted = request.branch === null ? null : await parseBranch(request.branch, { env: ctx.env });
  const facts = await describeDirectory(directory, { env: ctx.env, timeoutMs: ctx.inspectMs });
  if (facts.kind !== "directory") throw notThere(directory);
  if (facts.git === null) {
    // Where git gives no answer at all, it is not known that there is no repository.
    await requireRepository(ctx, directory);
    throw noRepository(directory, facts.gitReason ?? "not a git repository");
  }
  if (facts.git.commit === null) throw noRepository(directory, "it has no commit yet, so no work tree can be made from it");
  const { root, commit } = facts.git;
  const options = { directory: root, env: ctx.env };
  const common = (await requireGit(["rev-parse", "--git-common-dir"], options)).replace(/\n$/, "");
  const repository = resolve(root, common);
  const branch = await chooseBranch(options, { wanted, name: request.name, head: commit });
  return { kind: "worktree", source: root, repository, ...branch };
}

interface BranchChoice {
  readonly wanted: string | null;
  readonly name: string;
  readonly head: string;
}

async function chooseBranch(
  options: GitOptions,
  { wanted: branch, name, head }: BranchChoice,
): Promise<Pick<Planned, "branch" | "branch_made" | "base">> {
  if (branch === null) {
    const taken = (await requireGit(["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/tmpm/"], options)).split("\n");
    const free = uniqueName(name, new Set(taken.map((branch) => branch.replace(/^tmpm\//, ""))));
    return { branch: branchOf(free), branch_made: true, base: head };
  }
  const used = (await worktreesOf(options)).find((worktree) => worktree.branch === branch);
  if (used !== undefined) {
    throw new TmpmError("BRANCH_IN_USE", `branch ${branch} is checked out in ${JSON.stringify(used.path)}`, {
      hint: "Name another branch, or none to get one of your own.",
      details: { branch, path: used.path },
    });
  }
  const local = await commitOf(`refs/heads/${branch}`, options);
  if (local !== null) return { branch, branch_made: false, base: local };
  return { branch, branch_made: true, base: (await commitOf(`refs/remotes/origin/${branch}`, options)) ?? head };
}

function branchOf(name: string): string {
  return `tmpm/${name}`;
}

function notThere(path: string): TmpmError {
  return new TmpmError("DIRECTORY_NOT_FOUND", `${JSON.stringify(path)} is no directory that can be opened`, { details: { path } });
}

function noRepository(path: string, why: string): TmpmError {
  return new TmpmError("REPOSITORY_NOT_FOUND", `${JSON.stringify(path)}: ${why}`, {
    hint: "Name a directory in a git repository.",
    details: { path, reason: why },
  });
}
