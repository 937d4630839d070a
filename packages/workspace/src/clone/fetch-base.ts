import { TmpmError } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import type { GitOptions } from "../git/git.js";
import { remotesOf, usualRemote } from "../git/remotes-of.js";
import { requireGit } from "../git/require-git.js";
import { requireRepository, type WorkspaceRequest } from "../worktree/plan-workspace.js";
import { parseSource } from "./repository-source.js";

/**
 * Fetches from the remote of a worktree's base or branch, by the user's refspecs. Only its URL's transport is allowed, and no program
 * configured in the repository is run. @throws INVALID_ARGUMENT, DIRECTORY_NOT_FOUND, REPOSITORY_NOT_FOUND, GIT_FAILED
 */
export async function fetchBase(ctx: WorkspaceContext, { source, base, branch }: WorkspaceRequest): Promise<void> {
  if (source.kind !== "worktree") return;
  const { place } = await requireRepository(ctx, source.directory);
  const options = { directory: place, env: ctx.env, timeoutMs: ctx.lookMs };
  const remote = await remoteFor(options, base ?? branch ?? "");
  const url = (await requireGit(["remote", "get-url", "--", remote], options)).replace(/\n$/, "");
  const how = ["--quiet", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance", "--upload-pack=git-upload-pack"];
  await requireGit(["fetch", ...how, "--", remote], {
    ...options,
    protocols: parseSource(url).protocols,
    timeoutMs: ctx.cloneMs,
    effect: "unknown",
  });
}

/** The remote of the named branch, else `origin`, else the only one. */
async function remoteFor(options: GitOptions, name: string): Promise<string> {
  const remotes = await remotesOf(options);
  const short = name.replace(/^refs\/remotes\//, "");
  const [named] = remotes.filter((remote) => short.startsWith(`${remote}/`)).sort((a, b) => b.length - a.length);
  const chosen = named ?? usualRemote(remotes);
  if (chosen !== undefined) return chosen;
  throw new TmpmError(
    "INVALID_ARGUMENT",
    remotes.length === 0 ? "the repository has no remote to fetch from" : "the repository has several remotes, and none was specified",
    {
      hint: remotes.length === 0 ? "Leave out --fetch." : `Name a branch of one, such as ${remotes[0]}/main.`,
      details: { field: "fetch" },
    },
  );
}
