import { TmpmError } from "@tmpm/core";
import type { GitOptions } from "../git/git.js";
import { git } from "../git/git.js";
import { requireGit } from "../git/require-git.js";
import { lossyText } from "../review/byte-text.js";
import type { Conflict } from "./finish-plan.js";

export type Merged =
  | { readonly kind: "clean"; readonly tree: string }
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[] };

/** Merges two commits without a checkout. @throws GIT_FAILED, also without a common commit; PREREQUISITE_MISSING before git 2.38 */
export async function mergeTrees(options: GitOptions, sides: { readonly ours: string; readonly theirs: string }): Promise<Merged> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--messages", sides.ours, sides.theirs];
  const result = await git(args, { ...options, encoding: "latin1" });
  if (result.kind === "exited" && result.exitCode === 129) {
    throw new TmpmError("PREREQUISITE_MISSING", "git is too old to merge without a checkout: 2.38 or newer is needed", {
      details: { program: "git" },
    });
  }
  if (result.kind === "exited" && result.exitCode === 0) return { kind: "clean", tree: result.stdout.split("\0")[0] ?? "" };
  if (result.kind === "exited" && result.exitCode === 1) return { kind: "conflicts", conflicts: parseConflicts(result.stdout) };
  const why =
    result.kind === "exited"
      ? lossyText(result.stderr)
          .trim()
          .replace(/^fatal: /, "")
      : result.reason;
  throw new TmpmError("GIT_FAILED", `the work cannot be merged: ${why}`, { details: { ours: sides.ours, theirs: sides.theirs } });
}

/** After the tree and the names: `N<NUL>PATH<NUL>…TYPE<NUL>MESSAGE<NUL>` of each message. */
export function parseConflicts(output: string): readonly Conflict[] {
  const fields = output.split("\0");
  const end = fields.indexOf("", 1);
  const named = fields.slice(1, end).map(lossyText);
  const conflicts: Conflict[] = [];
  for (let at = end + 1; at < fields.length - 1; ) {
    const count = Number(fields[at]);
    const [type = "", message = ""] = fields.slice(at + 1 + count, at + 3 + count);
    const kind = /^CONFLICT \((.+)\)$/.exec(type)?.[1];
    if (kind !== undefined) {
      conflicts.push({ path: lossyText(fields[at + 1] ?? ""), kind, message: lossyText(message).trim() });
    }
    at += 3 + count;
  }
  const reported = new Set(conflicts.map(({ path }) => path));
  return [
    ...conflicts,
    ...named.filter((path) => !reported.has(path)).map((path) => ({ path, kind: "contents", message: `conflict in ${path}` })),
  ];
}

export async function treeOf(options: GitOptions, commit: string): Promise<string> {
  return (await requireGit(["rev-parse", "--verify", "--quiet", "--end-of-options", `${commit}^{tree}`], options)).trim();
}
