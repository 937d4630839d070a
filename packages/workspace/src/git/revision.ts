import { TmpmError } from "@tmpm/core";
import type { GitOptions } from "./git.js";
import { requireGit } from "./require-git.js";

/** A commit under the user's name for it. */
export interface Revision {
  readonly commit: string;
  /** The full ref of the name; null for a commit id or an expression. */
  readonly ref: string | null;
}

/** Fewer digits of an id match a commit by accident. */
const SHORT_ID = /^[0-9a-f]{1,6}$/i;
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Git's resolution of a name; null without one. */
export async function revisionOf(text: string, options: GitOptions): Promise<Revision | null> {
  if (text === "" || CONTROL.test(text)) return null;
  const parse = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
  const accept = [0, 1, 128];
  const commit = (await requireGit([...parse, `${text}^{commit}`], { ...options, accept })).trim();
  if (commit === "") return null;
  const full = (await requireGit(["rev-parse", "--symbolic-full-name", ...parse.slice(1), text], { ...options, accept })).trim();
  const ref = full.startsWith("refs/") ? full : null;
  return ref === null && SHORT_ID.test(text) ? null : { commit, ref };
}

/** @throws INVALID_ARGUMENT unless it names a commit of the repository */
export async function requireRevision(text: string, options: GitOptions): Promise<Revision> {
  const found = await revisionOf(text, options);
  if (found !== null) return found;
  throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(text)} is not a commit of this repository`, {
    hint: "Use a branch, a tag, a remote branch such as origin/main, or at least seven digits of a commit id. `git fetch` gets commits that only the remote has.",
    details: { field: "base" },
  });
}

/** `origin/main` for `refs/remotes/origin/main`. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags|remotes)\//, "");
}
