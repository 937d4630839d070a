import type { GitOptions } from "./git.js";
import { requireGit } from "./require-git.js";

/** The commit that a full ref names; null when there is no such ref. */
export async function commitOf(ref: string, options: GitOptions): Promise<string | null> {
  // A pattern covers what is below it, too.
  const listed = await requireGit(["for-each-ref", "--format=%(refname) %(objectname) %(*objectname)", "--", ref], options);
  const line = listed.split("\n").find((each) => each.startsWith(`${ref} `));
  const [object = "", peeled = ""] = line?.slice(ref.length + 1).split(" ") ?? [];
  return peeled || object || null;
}

/** What HEAD is at; null before the first commit. */
export async function headCommit(options: GitOptions): Promise<string | null> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"];
  return (await requireGit(args, { ...options, accept: [0, 1] })).trim() || null;
}
