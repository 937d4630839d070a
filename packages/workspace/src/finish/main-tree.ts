import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { hasErrno } from "@tmpm/core";
import { exists } from "../files/exists.js";
import { type GitOptions, git as runGit } from "../git/git.js";
import { requireGit } from "../git/require-git.js";

/**
 * The main work tree of a repository. `unknown`: it has one, and neither git nor the given directory shows where. `configured` is then the
 * existing directory of `core.worktree` from which git does not find this repository.
 */
export type MainTree =
  | { readonly kind: "at"; readonly path: string }
  | { readonly kind: "bare" }
  | { readonly kind: "unknown"; readonly gitDir: string; readonly configured: string | null };

/**
 * `listed` is git's entry for it, which is the git folder for a submodule and for a git folder that is elsewhere. `startedIn` is a directory
 * that may be in it. @throws GIT_FAILED, PREREQUISITE_MISSING
 */
export async function mainTreeOf(
  git: GitOptions,
  { listed, startedIn }: { readonly listed: string; readonly startedIn: string | null },
): Promise<MainTree> {
  if (await exists(join(listed, ".git"))) return { kind: "at", path: listed };
  const asked = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  const gitDir = await realpath((await requireGit(asked, git)).replace(/\n$/, ""));
  if ((await setting(git, { gitDir, query: ["--type=bool", "core.bare"] })) === "true") return { kind: "bare" };
  const configured = await setting(git, { gitDir, query: ["core.worktree"] });
  if (configured !== null) return configuredTree(git, { gitDir, path: resolve(gitDir, configured) });
  const found = startedIn === null ? null : await topAround({ ...git, directory: startedIn }, gitDir);
  return found === null ? { kind: "unknown", gitDir, configured: null } : { kind: "at", path: found };
}

/** Git commands in the directory would otherwise find no repository, or another one around it. */
async function configuredTree(git: GitOptions, { gitDir, path }: { readonly gitDir: string; readonly path: string }): Promise<MainTree> {
  if (!(await exists(path)) || (await topAround({ ...git, directory: path }, gitDir)) !== null) return { kind: "at", path };
  return { kind: "unknown", gitDir, configured: path };
}

/** By the git folder alone: a linked work tree may have a configuration of its own. */
async function setting(
  git: GitOptions,
  { gitDir, query }: { readonly gitDir: string; readonly query: readonly string[] },
): Promise<string | null> {
  const value = await requireGit([`--git-dir=${gitDir}`, "config", "--get", ...query], { ...git, accept: [0, 1] });
  return value === "" ? null : value.replace(/\n$/, "");
}

/** The top of the work tree around a directory, if it is the main one of that git folder. */
async function topAround(git: GitOptions & { readonly directory: string }, gitDir: string): Promise<string | null> {
  const own = await answer(["rev-parse", "--absolute-git-dir"], git);
  if (own === null || (await realPathOf(own)) !== gitDir) return null;
  return answer(["rev-parse", "--show-toplevel"], git);
}

async function answer(args: readonly string[], git: GitOptions): Promise<string | null> {
  const result = await runGit(args, git);
  return result.kind === "exited" && result.exitCode === 0 && result.stdout !== "" ? result.stdout.replace(/\n$/, "") : null;
}

async function realPathOf(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR", "EACCES")) return null;
    throw error;
  }
}
