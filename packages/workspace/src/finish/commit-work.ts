import { TmpmError } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { git as runGit } from "../git/git.js";
import { lockHint, lockIn } from "../git/lock-hint.js";
import { requireGit } from "../git/require-git.js";

/**
 * Commits all uncommitted work in a workspace like the user: with their name, hooks and signature. @throws GIT_FAILED with the hook's
 * output
 */
export async function commitWork(
  ctx: WorkspaceContext,
  { path, message }: { readonly path: string; readonly message: string },
): Promise<void> {
  const git = { directory: path, env: ctx.env, timeoutMs: ctx.setupMs, hooks: "users" } as const;
  await requireGit(["add", "--all", "--sparse"], { ...git, effect: "unknown" });
  const result = await runGit(["commit", "--quiet", "--no-edit", "-F", "-"], { ...git, input: `${message}\n` });
  if (result.kind === "exited" && result.exitCode === 0) return;
  const said = result.kind === "exited" ? `${result.stdout}${result.stderr}`.trim().split("\n").slice(-5).join("; ") : result.reason;
  throw new TmpmError("GIT_FAILED", `the uncommitted changes could not be committed: ${said}`, {
    effect: "none",
    hint: "A hook may have refused it, or your name is not configured in git. Everything is staged in the workspace, and nothing was merged.",
    ...lockHint(lockIn(result)),
    details: { path },
  });
}

/** Changed and untracked files of `git status`, by name. */
export async function uncommittedIn(ctx: WorkspaceContext, path: string): Promise<readonly string[]> {
  const args = ["status", "--porcelain=v1", "-z", "--untracked-files=normal", "--no-renames", "--ignore-submodules=dirty"];
  const status = await requireGit(args, { directory: path, env: ctx.env, timeoutMs: ctx.inspectMs });
  return status.split("\0").flatMap((entry) => (entry.length < 4 ? [] : [entry.slice(3)]));
}

/** The message as changed by the user's hook. @throws GIT_FAILED when it rejects the message */
export async function throughMessageHook(
  ctx: WorkspaceContext,
  { path, file }: { readonly path: string; readonly file: string },
): Promise<void> {
  const git = { directory: path, env: ctx.env, timeoutMs: ctx.checkoutMs, hooks: "users" } as const;
  const result = await runGit(["hook", "run", "--ignore-missing", "commit-msg", "--", file], git);
  if (result.kind === "exited" && result.exitCode === 0) return;
  const said = result.kind === "exited" ? result.stderr.trim().split("\n").slice(-5).join("; ") : result.reason;
  throw new TmpmError("GIT_FAILED", `the commit-msg hook refused the message: ${said}`, {
    effect: "none",
    hint: "Give another one with --message.",
    details: { hook: "commit-msg" },
  });
}
