import { TmpmError } from "@tmpm/core";
import { parseSource } from "../clone/repository-source.js";
import type { WorkspaceContext } from "../context.js";
import { git as runGit } from "../git/git.js";
import { requireGit } from "../git/require-git.js";
import type { PullRequestPlan } from "./plan-pull-request.js";

/**
 * Pushes a commit to the branch of its name at the remote, with the user's hooks and never by force. Pushing an existing commit succeeds.
 * @throws GIT_FAILED
 */
export async function pushBranch(
  ctx: WorkspaceContext,
  { directory, plan }: { readonly directory: string; readonly plan: Pick<PullRequestPlan, "remote" | "branch" | "commit"> },
): Promise<void> {
  const { remote, branch, commit } = plan;
  const git = { directory, env: ctx.env, timeoutMs: ctx.lookMs };
  const urls = (await requireGit(["remote", "get-url", "--push", "--all", "--", remote], git)).replace(/\n$/, "").split("\n");
  // Rejects any transport that would run a program; git pushes to every URL.
  for (const url of urls) parseSource(url);
  const how = ["--quiet", "--porcelain", "--no-follow-tags", "--recurse-submodules=no", "--receive-pack=git-receive-pack"];
  const result = await runGit(["push", ...how, "--", remote, `${commit}:refs/heads/${branch}`], {
    ...git,
    hooks: "users",
    // A pre-push hook may run a whole test suite.
    timeoutMs: ctx.setupMs,
  });
  if (result.kind === "exited" && result.exitCode === 0) return;
  const said = result.kind === "exited" ? `${result.stdout}${result.stderr}`.trim().split("\n").slice(-3).join("; ") : result.reason;
  throw new TmpmError("GIT_FAILED", `${branch} was not pushed to ${remote}: ${said}`, {
    effect: result.kind === "exited" ? "none" : "unknown",
    hint: "A hook may have refused it, the login may be missing, or the branch there has commits that are not here: fetch and merge them first.",
    details: { remote, branch, commit },
  });
}
