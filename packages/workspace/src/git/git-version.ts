import { type GitOptions, git } from "./git.js";

export type GitVersion =
  | { readonly kind: "found"; readonly version: string }
  | { readonly kind: "not_installed" }
  | { readonly kind: "unknown"; readonly reason: string };

/** The version of git used by this program, such as `2.39.5`. */
export async function gitVersion(options: Omit<GitOptions, "directory"> = {}): Promise<GitVersion> {
  const result = await git(["--version"], options);
  if (result.kind === "unavailable") {
    return result.cause === "not_installed" ? { kind: "not_installed" } : { kind: "unknown", reason: result.reason };
  }
  const version = /\d+(?:\.\d+)+/.exec(result.stdout)?.[0];
  return version === undefined ? { kind: "unknown", reason: "git does not print a version" } : { kind: "found", version };
}
