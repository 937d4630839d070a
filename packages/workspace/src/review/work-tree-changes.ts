import { hasCode } from "@tmpm/core";
import type { GitOptions, Scratch } from "../git/git.js";
import { requireGit } from "../git/require-git.js";
import { type ChangedEntry, ENTRY_ARGS, parseEntries } from "./changed-entries.js";
import { READING } from "./scratch-index.js";

type Scratched = GitOptions & { readonly scratch: Scratch };

/** Settings of the user's that would change what `git diff` lists, and how. */
const EXACT = {
  ...READING,
  "diff.autoRefreshIndex": "true",
  "diff.orderFile": "/dev/null",
  "diff.relative": "false",
  "diff.algorithm": "default",
  "core.safecrlf": "false",
};

/** Makes untracked files part of the scratch index, without reading their content. False when git cannot list all of them. */
export async function listUntracked(git: Scratched): Promise<boolean> {
  return possible(async () => {
    await requireGit(["add", "--intent-to-add", "--all", "--sparse"], { ...git, config: { ...git.config, ...READING } });
    return true;
  }, false);
}

/**
 * The changes of the work tree from a tree or commit, compared without writing its files as objects: those whose content is not in the
 * index have no new id. Null when git cannot compare all of it, because of conflicts or unreadable files. Follows `listUntracked`.
 */
export async function workTreeChanges(git: Scratched, before: string): Promise<readonly ChangedEntry[] | null> {
  const config = { ...git.config, ...EXACT };
  const args = ["diff", ...ENTRY_ARGS, "--no-color", "--ignore-submodules=dirty", before, "--"];
  return possible(async () => {
    const output = await requireGit(args, { ...git, config, encoding: "latin1" });
    return UNMERGED.test(output) ? null : parseEntries(output);
  }, null);
}

/** The other value when git ended with a failure of its own. */
async function possible<T, U>(task: () => Promise<T>, other: U): Promise<T | U> {
  try {
    return await task();
  } catch (error) {
    if (hasCode(error, "GIT_FAILED") && error.details.cause === undefined) return other;
    throw error;
  }
}

const UNMERGED = /(?:^|\0):\d+ \d+ [0-9a-f]+ [0-9a-f]+ U\0/;
