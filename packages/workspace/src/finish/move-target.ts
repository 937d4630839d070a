import { TmpmError, withEffect } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { exists } from "../files/exists.js";
import { commitOf } from "../git/commit-of.js";
import { type GitOptions, git as runGit } from "../git/git.js";
import { requireGit } from "../git/require-git.js";
import { advance, advanceAgain, advancing } from "./advance.js";
import { blockOf, indexIs, useOf } from "./checkout.js";
import { isAncestor } from "./compose.js";
import { type Block, MOST_ITEMS, type TargetMove } from "./finish-plan.js";

/** The error of every refused finish. */
export function finishRefused(blocks: readonly Block[], details: Readonly<Record<string, unknown>> = {}): TmpmError {
  return new TmpmError("FINISH_REFUSED", `nothing was moved: ${blocks.map(({ message }) => message).join("; ")}`, {
    hint: blocks[0]?.hint ?? "Try again.",
    details: { ...details, blocks: blocks.map((block) => ({ ...block, items: block.items.slice(0, MOST_ITEMS) })) },
  });
}

/** A target's position: unmoved, moved, or elsewhere. `beyond` contains the commit that it was moved to. */
export type TargetState = "before" | "moved" | "beyond" | "elsewhere";

export async function targetState(ctx: WorkspaceContext, { repository, ref, from, to }: TargetMove): Promise<TargetState> {
  const git = { directory: repository, env: ctx.env };
  const now = await commitOf(ref, git);
  if (now === to) return "moved";
  if (now === from) return "before";
  return now !== null && (await isAncestor(git, { of: now, commit: to })) ? "beyond" : "elsewhere";
}

/**
 * Moves a branch from one commit to the other, if it is still at the first, and its checkout with it, if that is clean. The ref moves
 * first, so that a hook that rejects it leaves the checkout unchanged. May be called again after a crash. @throws FINISH_REFUSED,
 * GIT_FAILED; with `effect: "none"` nothing was moved
 */
export async function moveTarget(ctx: WorkspaceContext, move: TargetMove & { readonly why: string }): Promise<void> {
  const { repository, ref, from, to, why } = move;
  const git: GitOptions = { directory: repository, env: ctx.env, timeoutMs: ctx.checkoutMs };
  if (from === to) return;
  if ((await targetState(ctx, move)) === "moved") return catchUp(git, move);
  const use = await useOf(ctx, git, { branch: ref.replace(/^refs\/heads\//, ""), startedIn: move.started_in });
  const path = use.checkout;
  const block = use.block ?? (path === null ? null : await blockOf(git, { path, from, to }));
  if (block !== null) throw finishRefused([block]);
  const steps = path === null ? null : await advancing(git, { path, from, to });
  await moveRef({ ...git, directory: path ?? repository }, { ref, from, to, why });
  await ctx.reached("workspace.target_moved");
  if (steps === null) return;
  try {
    await advance(git, steps);
  } catch (error) {
    // A file there was changed meanwhile, or git could not write there: the branch moves back to its checkout.
    await moveBack({ ...git, directory: steps.path }, move);
    throw error;
  }
}

/** @throws GIT_FAILED with `effect: "unknown"`, because the branch has moved then and its checkout may not have */
async function moveBack(git: GitOptions, { ref, from, to, why }: TargetMove & { readonly why: string }): Promise<void> {
  try {
    await moveRef(git, { ref, from: to, to: from, why: `${why}, undone` });
  } catch (error) {
    if (!(error instanceof TmpmError)) throw error;
    throw new TmpmError(error.code, `${ref} was moved, but not its checkout in ${JSON.stringify(git.directory)}: ${error.message}`, {
      effect: "unknown",
      hint: "Files there are in the way, or git cannot write there. Remove the cause: tmpm also tries again automatically.",
      details: error.details,
      cause: error,
    });
  }
}

/** A crash came after the branch had moved and before its checkout had. A checkout that has another branch by now is left as it is. */
async function catchUp(git: GitOptions, { ref, checkout, from, to }: TargetMove): Promise<void> {
  if (checkout === null || !(await indexIs(git, { path: checkout, commit: from }))) return;
  try {
    if ((await checkedOutIn({ ...git, directory: checkout })) !== ref) return;
    await advanceAgain(git, await advancing(git, { path: checkout, from, to }));
  } catch (error) {
    throw withEffect(error, "unknown");
  }
}

/** The ref of the branch checked out; empty for a detached HEAD. @throws GIT_FAILED */
async function checkedOutIn(git: GitOptions & { readonly directory: string }): Promise<string> {
  return (await requireGit(["symbolic-ref", "--quiet", "HEAD"], { ...git, accept: [0, 1] })).replace(/\n$/, "");
}

interface RefMove {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

async function moveRef(git: GitOptions, { ref, from, to, why }: RefMove): Promise<void> {
  const result = await runGit(["update-ref", "-m", why, ref, to, from], { ...git, hooks: "users" });
  if (result.kind === "exited" && result.exitCode === 0) return;
  const said = result.kind === "exited" ? result.stderr.trim() : result.reason;
  const effect = result.kind === "exited" ? "none" : "unknown";
  throw new TmpmError("GIT_FAILED", `${ref} was not moved: ${said.split("\n").slice(-3).join("; ")}`, {
    effect,
    hint: "It was moved meanwhile, or a hook refused. Check with --dry-run, then try again.",
    details: { ref, from, to },
  });
}

/** Runs the hook that git runs after a merge into a checkout. Its result is ignored, as by git. */
export async function afterMerge(ctx: WorkspaceContext, { checkout }: TargetMove): Promise<void> {
  if (checkout === null) return;
  const git = { directory: checkout, env: ctx.env, timeoutMs: ctx.checkoutMs, hooks: "users" } as const;
  await runGit(["hook", "run", "--ignore-missing", "post-merge", "--", "0"], git);
}

const KEPT = "refs/tmpm/finished/";

/** Keeps the commits of a finished session from being lost with its branch, while it can be undone. */
export async function keepCommits(
  ctx: WorkspaceContext,
  kept: { readonly repository: string; readonly sessionId: string; readonly commit: string },
): Promise<void> {
  const git = { directory: kept.repository, env: ctx.env, effect: "unknown" } as const;
  await requireGit(["update-ref", `${KEPT}${kept.sessionId}`, kept.commit], git);
}

/** Without an effect when the repository is gone. @throws GIT_FAILED, PREREQUISITE_MISSING */
export async function dropKeptCommits(
  ctx: WorkspaceContext,
  kept: { readonly repository: string; readonly sessionId: string },
): Promise<void> {
  if (!(await exists(kept.repository))) return;
  await requireGit(["update-ref", "-d", `${KEPT}${kept.sessionId}`], { directory: kept.repository, env: ctx.env, effect: "unknown" });
}
