import type { WorkspaceContext } from "../context.js";
import { uncommittedIn } from "../finish/commit-work.js";
import { type Block, type FinishPlan, type FinishRequest, MOST_ITEMS } from "../finish/finish-plan.js";
import { ownBlocks, workOf } from "../finish/finish-workspace.js";
import { commitsBetween, totalBetween } from "../finish/work-listing.js";
import { commitOf } from "../git/commit-of.js";
import type { GitOptions } from "../git/git.js";
import { headOf } from "../git/head.js";
import { remotesOf, usualRemote } from "../git/remotes-of.js";
import { requireGit } from "../git/require-git.js";
import { withScratchIndex } from "../review/scratch-index.js";
import type { ForgeAddress } from "./forge-address.js";
import { resolvedAddress } from "./resolved-address.js";

export type PullRequestRequest = Pick<FinishRequest, "workspace" | "into" | "startedFrom" | "commit">;

/** What would be pushed, and where to. Computed without a network request. */
export interface PullRequestPlan extends Pick<FinishPlan, "commits" | "commit_count" | "total" | "uncommitted" | "blocks"> {
  /** The session's branch, which keeps its name at the remote; empty on a detached HEAD. */
  readonly branch: string;
  /** The branch to merge into. */
  readonly base: string;
  /** The remote's name; empty without one. */
  readonly remote: string;
  readonly address: ForgeAddress | null;
  /** The commit to push. */
  readonly commit: string;
  /** The last known commit of the remote's branch; null when unknown. */
  readonly published: string | null;
}

/** @throws INVALID_ARGUMENT, GIT_FAILED, PREREQUISITE_MISSING */
export async function planPullRequest(ctx: WorkspaceContext, request: PullRequestRequest): Promise<PullRequestPlan> {
  const { path } = request.workspace;
  const git = { directory: path, env: ctx.env, timeoutMs: ctx.inspectMs };
  const remote = await remoteOf(git, request.startedFrom);
  const base = await baseOf(git, { request, remote });
  const head = await headOf(git);
  const branch = head.branch ?? "";
  return withScratchIndex({ ...git, objects: "scratch" }, async (scratched) => {
    const uncommitted = await uncommittedIn(ctx, path);
    const to = await workOf(scratched, { request, uncommitted });
    const there = remote === "" ? null : await commitOf(`refs/remotes/${remote}/${base}`, git);
    const from = there ?? (await commitOf(`refs/heads/${base}`, git));
    const listed = from === null ? { commits: [], commit_count: 0 } : await commitsBetween(scratched, { from, to });
    const address = remote === "" ? null : await addressOf(git, remote);
    return {
      branch,
      base,
      remote,
      address,
      commit: head.commit ?? to,
      published: remote === "" || branch === "" ? null : await commitOf(`refs/remotes/${remote}/${branch}`, git),
      ...listed,
      total: from === null ? { files: 0, added: 0, removed: 0 } : await totalBetween(scratched, { from: await meetingOf(git, from), to }),
      uncommitted: uncommitted.slice(0, MOST_ITEMS),
      blocks: [
        ...(await ownBlocks(git, { request, uncommitted })),
        ...placeBlocks({ branch, base, remote, address }),
        ...(from !== null && listed.commit_count === 0 ? [NOTHING_NEW] : []),
        ...(from === null ? [unknownBase(base)] : []),
      ],
    };
  });
}

/** The remote that the work started from, else `origin`, else the only one; empty without one. */
async function remoteOf(git: GitOptions, startedFrom: string | null): Promise<string> {
  const remotes = await remotesOf(git);
  const own = remotes.find((name) => startedFrom?.startsWith(`refs/remotes/${name}/`));
  return own ?? usualRemote(remotes) ?? "";
}

/** A branch of ours may have a name like that of a remote's branch. */
async function baseOf(
  git: GitOptions,
  { request, remote }: { readonly request: PullRequestRequest; readonly remote: string },
): Promise<string> {
  const { into, startedFrom } = request;
  if (into === null) return withoutPrefix(withoutPrefix(startedFrom ?? "main", "refs/heads/"), `refs/remotes/${remote}/`);
  const name = withoutPrefix(into, "refs/heads/");
  const short = remote === "" ? name : withoutPrefix(name, `${remote}/`);
  return short === name || (await commitOf(`refs/heads/${name}`, git)) !== null ? name : short;
}

function withoutPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

/** The merge base: later commits of the base are not part of the work. */
async function meetingOf(git: GitOptions, from: string): Promise<string> {
  return (await requireGit(["merge-base", from, "HEAD"], { ...git, accept: [0, 1] })).trim().split("\n")[0] || from;
}

/** As written in the configuration when rewriting leads elsewhere, as `insteadOf` does. */
async function addressOf(git: GitOptions & { readonly env: WorkspaceContext["env"] }, remote: string): Promise<ForgeAddress | null> {
  const { env } = git;
  const used = (await requireGit(["remote", "get-url", "--push", "--", remote], git)).replace(/\n$/, "");
  const written = (await requireGit(["config", "--get", `remote.${remote}.url`], { ...git, accept: [0, 1] })).replace(/\n$/, "");
  return (await resolvedAddress(used, env)) ?? resolvedAddress(written, env);
}

const NOTHING_NEW: Block = {
  code: "nothing_new",
  message: "the branch has no commit that its base lacks",
  hint: "Let the agent commit its work, or use --commit MESSAGE.",
  items: [],
};

function unknownBase(base: string): Block {
  const message = `there is no branch ${JSON.stringify(base)} here or at the remote`;
  return { code: "no_branch", message, hint: "Name the branch that receives the work with --into, such as --into main.", items: [] };
}

function placeBlocks({ branch, base, remote, address }: Pick<PullRequestPlan, "branch" | "base" | "remote" | "address">): readonly Block[] {
  if (branch === "" || branch === base) {
    const message = branch === "" ? "the workspace has no branch checked out" : `${branch} is the branch that receives the work`;
    return [{ code: "no_branch", message, hint: "Check out the session's own branch there.", items: [] }];
  }
  if (remote === "")
    return [
      {
        code: "no_remote",
        message: "the repository has no remote to push to",
        hint: "Add one with `git remote add origin URL`.",
        items: [],
      },
    ];
  if (address !== null) return [];
  const message = `the URL of the remote ${JSON.stringify(remote)} does not name a repository on a host that gh supports`;
  return [{ code: "no_forge", message, hint: "Push it yourself, and end the session with --how keep.", items: [] }];
}
