import { TmpmError } from "@tmpm/core";
import type { GitOptions } from "./git.js";
import { askGit } from "./require-git.js";

/** Names that `git check-ref-format --branch` would expand or parse as an option are rejected first (reliability C17). */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_./+#=@,-]*$/u;

/** Git writes a ref to a file with `.lock` after its name, and a file name has at most 255 bytes. */
const MAX_BYTES = 200;

/** A valid branch name, unchanged. @throws INVALID_ARGUMENT */
export async function parseBranch(text: string, options: Omit<GitOptions, "directory">): Promise<string> {
  const allowed = PLAIN.test(text) && Buffer.byteLength(text) <= MAX_BYTES && text !== "HEAD";
  if (allowed && (await askGit(["check-ref-format", `refs/heads/${text}`], options))) return text;
  throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(text)} is not a valid branch name`, {
    hint: "Letters, digits and `-_./+#=@,` are allowed, up to 200 bytes. To start from a commit or another revision, name that with --base.",
    details: { field: "branch" },
  });
}

/** Why a new branch cannot have a name, and the conflicting branch. */
export interface NameConflict {
  readonly kind: "same" | "above" | "below";
  readonly branch: string;
}

export interface BranchNames {
  readonly names: readonly string[];
  /** Whether the repository's file system ignores case. */
  readonly ignoreCase: boolean;
}

/** A ref is a file: its name can be neither a folder of another ref nor equal to another one for the file system. */
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

/** Names that differ only in Unicode composition are equal. */
export function folded(name: string, ignoreCase: boolean): string {
  const composed = name.normalize("NFC");
  return ignoreCase ? composed.toLowerCase() : composed;
}
