import { TmpmError } from "@tmpm/core";
import type { GitOptions } from "./git.js";
import { askGit } from "./require-git.js";

/** What `git check-ref-format --branch` would expand or take as an option is refused before it is asked (reliability C17). */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_./+#=@,-]*$/u;

/** Git writes a ref to a file with `.lock` after its name, and a file's name has at most 255 bytes. */
const MAX_BYTES = 200;

/** A branch's name as given. @throws INVALID_ARGUMENT */
export async function parseBranch(text: string, options: Omit<GitOptions, "directory">): Promise<string> {
  const allowed = PLAIN.test(text) && Buffer.byteLength(text) <= MAX_BYTES && text !== "HEAD";
  if (allowed && (await askGit(["check-ref-format", `refs/heads/${text}`], options))) return text;
  throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(text)} is not a branch's name`, {
    hint: "Letters, digits and `-_./+#=@,` are allowed, up to 200 bytes. To start from a commit or another revision, name that with --base.",
    details: { field: "branch" },
  });
}

/** Why a new branch cannot have a name, and the branch that is in its way. */
export interface NameConflict {
  readonly kind: "same" | "above" | "below";
  readonly branch: string;
}

export interface BranchNames {
  readonly names: readonly string[];
  /** The repository is on a file system that takes `Topic` and `topic` for one name. */
  readonly ignoreCase: boolean;
}

/** A ref is a file: its name can be neither a folder of another ref nor one that the file system takes for the same. */
export function conflictOf(name: string, { names, ignoreCase }: BranchNames): NameConflict | null {
  const wanted = folded(name, ignoreCase);
  for (const branch of names) {
    const there = folded(branch, ignoreCase);
    if (there === wanted) return { kind: "same", branch };
    if (wanted.startsWith(`${there}/`)) return { kind: "above", branch };
    if (there.startsWith(`${wanted}/`)) return { kind: "below", branch };
  }
  return null;
}

/** Two names that look the same are one, whichever way their letters are composed. */
export function folded(name: string, ignoreCase: boolean): string {
  const composed = name.normalize("NFC");
  return ignoreCase ? composed.toLowerCase() : composed;
}
