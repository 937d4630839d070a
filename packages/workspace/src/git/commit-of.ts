import type { GitOptions } from "./git.js";
import { requireGit } from "./require-git.js";

/** The commit of a full ref; null for a missing ref. */
export async function commitOf(ref: string, options: GitOptions): Promise<string | null> {
  // A pattern also matches refs below it.
  const listed = await requireGit(["for-each-ref", "--format=%(refname) %(objectname) %(*objectname)", "--", ref], options);
  const line = listed.split("\n").find((each) => each.startsWith(`${ref} `));
  const [object = "", peeled = ""] = line?.slice(ref.length + 1).split(" ") ?? [];
  return peeled || object || null;
}

/** The commit at HEAD; null before the first one. */
export async function headCommit(options: GitOptions): Promise<string | null> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"];
  return (await requireGit(args, { ...options, accept: [0, 1] })).trim() || null;
}
