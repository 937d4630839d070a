import type { GitOptions } from "./git.js";
import { requireGit } from "./require-git.js";

/** The names of a repository's remotes, in git's order. @throws GIT_FAILED */
export async function remotesOf(git: GitOptions): Promise<readonly string[]> {
  return (await requireGit(["remote"], git)).split("\n").filter((line) => line !== "");
}

/** `origin`, else the only one; undefined without either. */
export function usualRemote(remotes: readonly string[]): string | undefined {
  return remotes.find((name) => name === "origin") ?? (remotes.length === 1 ? remotes[0] : undefined);
}
