import { TmpmError } from "@tmpm/core";
import type { GitOptions } from "./git.js";
import { askGit } from "./require-git.js";

/** What `git check-ref-format --branch` would expand or take as an option is refused before it is asked (reliability C17). */
const PLAIN = /^[A-Za-z0-9_][\w./+#=-]{0,199}$/;

/** A branch's name as given. @throws INVALID_ARGUMENT */
export async function parseBranch(text: string, options: Omit<GitOptions, "directory">): Promise<string> {
  if (PLAIN.test(text) && text !== "HEAD" && (await askGit(["check-ref-format", `refs/heads/${text}`], options))) return text;
  throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(text)} is not a branch's name`, { details: { field: "branch" } });
}
