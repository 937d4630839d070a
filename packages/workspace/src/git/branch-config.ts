import type { GitOptions } from "./git.js";
import { requireGit } from "./require-git.js";

/** A repository's configuration of a branch, such as its upstream: keys and values, in order. */
export type BranchConfig = readonly (readonly [key: string, value: string])[];

export async function branchConfig(options: GitOptions, branch: string): Promise<BranchConfig> {
  const prefix = `branch.${branch}.`;
  const pattern = `^branch\\.${branch.replace(/[.+*?^${}()|[\]\\]/g, "\\$&")}\\.[^.]+$`;
  const listed = await requireGit(["config", "--local", "--null", "--get-regexp", pattern], { ...options, accept: [0, 1] });
  // Entries are the key, LF, the value, NUL.
  return listed.split("\0").flatMap((entry) => {
    const end = entry.indexOf("\n");
    return end < 0 || !entry.startsWith(prefix) ? [] : [[entry.slice(0, end), entry.slice(end + 1)] as const];
  });
}

/** A later branch of the same name would inherit it. */
export async function dropBranchConfig(options: GitOptions, branch: string): Promise<void> {
  if ((await branchConfig(options, branch)).length === 0) return;
  await requireGit(["config", "--local", "--remove-section", `branch.${branch}`], { ...options, effect: "unknown" });
}

/** Idempotent: an existing configuration is kept. */
export async function bringBackConfig(
  options: GitOptions,
  { branch, config }: { readonly branch: string; readonly config: BranchConfig },
): Promise<void> {
  if ((await branchConfig(options, branch)).length > 0) return;
  for (const [key, value] of config) {
    await requireGit(["config", "--local", "--add", key, value], { ...options, effect: "unknown" });
  }
}
