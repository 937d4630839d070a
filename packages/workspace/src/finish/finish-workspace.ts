import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { commitOf, headCommit } from "../git/commit-of.js";
import type { GitOptions, Scratch } from "../git/git.js";
import { headOf } from "../git/head.js";
import { remotesOf } from "../git/remotes-of.js";
import { inProgress } from "../git/work-in.js";
import { snapshotTree, withScratchIndex } from "../review/scratch-index.js";
import { blockOf, gitFolderOf, useOf } from "./checkout.js";
import { throughMessageHook, uncommittedIn } from "./commit-work.js";
import { type ComposeResult, compose, plainCommit } from "./compose.js";
import { type Block, type FinishPlan, type FinishRequest, MOST_ITEMS, type TargetMove } from "./finish-plan.js";
import { finishRefused } from "./move-target.js";
import { commitsBetween, totalBetween } from "./work-listing.js";

/**
 * What a finish would do, and everything that prevents it. Read-only: git's temporary objects go into a folder that is removed.
 * @throws INVALID_ARGUMENT, GIT_FAILED, PREREQUISITE_MISSING
 */
export async function previewFinish(ctx: WorkspaceContext, request: FinishRequest): Promise<FinishPlan> {
  const git = { directory: request.workspace.path, env: ctx.env, timeoutMs: ctx.inspectMs };
  const target = await targetOf(git, request);
  return withScratchIndex({ ...git, objects: "scratch" }, async (scratched) => {
    const uncommitted = await uncommittedIn(ctx, request.workspace.path);
    const work = await workOf(scratched, { request, uncommitted });
    const composed = await compose(scratched, {
      how: request.how,
      target: target.commit,
      source: work,
      message: request.message,
      sign: false,
    });
    return planOf(ctx, { git: scratched, request, target, work, composed, uncommitted });
  });
}

/**
 * Creates the target's new commit in the repository; refs and checkouts are unchanged. @throws FINISH_REFUSED, GIT_FAILED, INVALID_ARGUMENT
 */
export async function composeFinish(
  ctx: WorkspaceContext,
  { message: given, ...rest }: Omit<FinishRequest, "message"> & { readonly message: string | ((plan: FinishPlan) => string) },
): Promise<{ readonly plan: FinishPlan; readonly move: TargetMove }> {
  const plan = await previewFinish(ctx, { ...rest, message: "" });
  const request: FinishRequest = { ...rest, message: typeof given === "string" ? given : given(plan) };
  if (plan.blocks.length > 0) throw finishRefused(plan.blocks, { into: plan.into, conflicts: plan.conflicts });
  const git = { directory: request.workspace.path, env: ctx.env, timeoutMs: ctx.inspectMs };
  const message = plan.result === "merge_commit" || plan.result === "squash_commit" ? await hooked(ctx, request) : request.message;
  const composed = await compose(git, { how: request.how, target: plan.old, source: plan.source.commit, message, sign: true });
  if (composed.kind !== "composed") throw finishRefused(composedBlocks(plan.into, composed));
  const repository = request.workspace.repository ?? request.workspace.path;
  const refs = { ref: `refs/heads/${plan.into}`, from: plan.old, to: composed.commit };
  return { plan, move: { repository, ...refs, checkout: plan.checkout, started_in: request.workspace.source } };
}

/** The message after the user's commit-msg hook. */
async function hooked(ctx: WorkspaceContext, { workspace, message }: FinishRequest): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-message-"));
  try {
    const file = join(folder, "MERGE_MSG");
    await writeFile(file, `${message}\n`);
    await throughMessageHook(ctx, { path: workspace.path, file });
    return (await readFile(file, "utf8")).trimEnd();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Target {
  readonly branch: string;
  readonly commit: string;
}

async function targetOf(git: GitOptions, { into, startedFrom, workspace }: FinishRequest): Promise<Target> {
  const branch = into?.replace(/^refs\/heads\//, "") ?? (await branchFrom(git, startedFrom));
  const head = await headOf(git);
  if (branch === head.branch || branch === workspace.branch) {
    throw wrongTarget(`${branch} is the session's own branch`);
  }
  const commit = await commitOf(`refs/heads/${branch}`, git);
  if (commit === null) throw wrongTarget(`there is no local branch ${JSON.stringify(branch)}`);
  return { branch, commit };
}

/** A remote branch stands for the local one of that name. */
async function branchFrom(git: GitOptions, ref: string | null): Promise<string> {
  const local = ref === null ? undefined : /^refs\/heads\/(.+)$/s.exec(ref)?.[1];
  if (local !== undefined) return local;
  const remotes = await remotesOf(git);
  const remote = remotes.find((name) => ref?.startsWith(`refs/remotes/${name}/`));
  if (remote === undefined || ref === null) throw wrongTarget("the work did not start from a branch");
  return ref.slice(`refs/remotes/${remote}/`.length);
}

function wrongTarget(message: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `nothing to merge into: ${message}`, {
    hint: "Name a local branch with --into, such as --into main.",
    details: { field: "into" },
  });
}

/** The merged commit: HEAD, or in a preview HEAD with the uncommitted work on top. */
export async function workOf(
  git: Parameters<typeof snapshotTree>[0],
  { request, uncommitted }: { readonly request: Pick<FinishRequest, "workspace" | "commit">; readonly uncommitted: readonly string[] },
): Promise<string> {
  const head = await headCommit(git);
  if (head === null)
    throw new TmpmError("INVALID_ARGUMENT", "the workspace has no commit yet", { details: { path: request.workspace.path } });
  if (uncommitted.length === 0 || request.commit === null) return head;
  const { tree } = await snapshotTree(git);
  const author = { name: "tmpm", email: "tmpm@localhost", date: "@0 +0000" };
  return plainCommit({ ...git, author, config: { ...git.config, ...OWN_COMMITTER } }, { tree, parents: [head], message: request.commit });
}

/** A commit that is never shown needs no name of the user's. */
const OWN_COMMITTER = { "committer.name": "tmpm", "committer.email": "tmpm@localhost" };

interface Planned {
  readonly git: GitOptions & { readonly scratch: Scratch };
  readonly request: FinishRequest;
  readonly target: Target;
  readonly work: string;
  readonly composed: ComposeResult;
  readonly uncommitted: readonly string[];
}

async function planOf(ctx: WorkspaceContext, planned: Planned): Promise<FinishPlan> {
  const { git, request, target, work, composed, uncommitted } = planned;
  const user = { directory: request.workspace.path, env: ctx.env, timeoutMs: ctx.inspectMs };
  const use = await useOf(ctx, user, { branch: target.branch, startedIn: request.workspace.source });
  const to = composed.kind === "composed" ? composed.commit : null;
  const inTheWay =
    use.block ??
    (use.checkout === null || to === null || to === target.commit
      ? null
      : await blockOf(user, { path: use.checkout, from: target.commit, to, objects: git.scratch.objects }));
  const conflicts = composed.kind === "conflicts" ? composed.conflicts : [];
  return {
    how: request.how,
    into: target.branch,
    old: target.commit,
    source: await sourceOf(user, work),
    result: composed.kind === "composed" ? composed.result : request.how === "squash" ? "squash_commit" : "merge_commit",
    ...(await commitsBetween(git, { from: target.commit, to: work })),
    total: await totalBetween(git, { from: target.commit, to: to ?? work }),
    uncommitted: uncommitted.slice(0, MOST_ITEMS),
    conflicts,
    checkout: use.checkout,
    blocks: [
      ...(await ownBlocks(user, { request, uncommitted })),
      ...composedBlocks(target.branch, composed),
      ...(inTheWay === null ? [] : [inTheWay]),
    ],
  };
}

async function sourceOf(git: GitOptions, work: string): Promise<FinishPlan["source"]> {
  const { branch, commit } = await headOf(git);
  return { branch, commit: commit ?? work };
}

/** Why the workspace itself prevents a finish. */
export async function ownBlocks(
  git: GitOptions & { readonly directory: string },
  { request, uncommitted }: { readonly request: Pick<FinishRequest, "commit">; readonly uncommitted: readonly string[] },
): Promise<readonly Block[]> {
  const [busy] = await inProgress(await gitFolderOf(git));
  if (busy !== undefined) {
    const hint = "Finish it in the workspace or abort it, then try again.";
    return [{ code: "in_progress", message: `${busy.message} in the workspace`, hint, items: [] }];
  }
  if (uncommitted.length === 0 || request.commit !== null) return [];
  const message = `the workspace has ${uncommitted.length} uncommitted ${uncommitted.length === 1 ? "change" : "changes"}`;
  const hint = "Commit them there, or let `--commit MESSAGE` commit everything that git does not ignore.";
  return [{ code: "uncommitted", message, hint, items: uncommitted.slice(0, MOST_ITEMS) }];
}

function composedBlocks(branch: string, composed: ComposeResult): readonly Block[] {
  switch (composed.kind) {
    case "composed":
      return [];
    case "conflicts": {
      const paths = [...new Set(composed.conflicts.map(({ path }) => path))];
      const message = `the work conflicts with ${branch} in ${paths
        .slice(0, 5)
        .map((path) => JSON.stringify(path))
        .join(", ")}${paths.length > 5 ? " and more" : ""}`;
      const hint = `Let the agent resolve them: ask it to merge ${branch} into its branch and to commit the result.`;
      return [{ code: "conflicts", message, hint, items: paths.slice(0, MOST_ITEMS) }];
    }
    case "merge_commits": {
      const hint = "Use --how merge or --how squash.";
      return [{ code: "merge_commits", message: "the work contains merge commits, which a rebase would lose", hint, items: [] }];
    }
    case "diverged": {
      const hint = `Rebase with --how rebase, since your merge.ff setting allows fast-forwards only.`;
      return [{ code: "not_fast_forward", message: `${branch} has moved on since the work started`, hint, items: [] }];
    }
  }
}
