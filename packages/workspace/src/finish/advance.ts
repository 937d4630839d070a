import { TmpmError } from "@tmpm/core";
import { type GitOptions, git as runGit } from "../git/git.js";
import { requireGit } from "../git/require-git.js";
import { type ByteText, lossyText } from "../review/byte-text.js";
import { type ChangedPath, changedPaths, see } from "./changed-paths.js";
import { type Advance, indexIs } from "./checkout.js";
import { MOST_ITEMS } from "./finish-plan.js";
import { type InterruptedCheckout, putBack } from "./put-back.js";

/** Maximum number of paths in a message. */
const MOST_NAMED = 5;

/** What a move changes in a checkout, read before anything moves. */
export type Advancing = Advance & { readonly changes: readonly ChangedPath[] };

export async function advancing(git: GitOptions, advance: Advance): Promise<Advancing> {
  return { ...advance, changes: await changedPaths({ ...git, directory: advance.path }, advance) };
}

/**
 * Moves index and files of a checkout whose branch has already moved. Git refuses to overwrite changes made meanwhile. A failure restores
 * what git has written until then. @throws GIT_FAILED; with `effect: "none"` the checkout is as before, otherwise `details.paths` names
 * what is not
 */
export async function advance(git: GitOptions, { path, from, to, changes }: Advancing): Promise<void> {
  const inside = { ...git, directory: path, hooks: "users" } as const;
  await requireGit(["update-index", "-q", "--refresh"], { ...inside, accept: [0, 1] });
  const seen = await see(path, changes);
  try {
    await requireGit(["read-tree", "-m", "-u", "--no-recurse-submodules", from, to], inside);
  } catch (error) {
    // The index is written last, and a hook that hangs runs after it.
    if (await indexIs(git, { path, commit: to })) return;
    await restore(git, { half: { path, changes, seen }, after: error });
    throw error;
  }
}

/** Continues a move that a crash interrupted anywhere. @throws GIT_FAILED */
export async function advanceAgain(git: GitOptions, half: Advancing): Promise<void> {
  await putBack(git, { ...half, seen: null });
  await advance(git, half);
}

/** @throws GIT_FAILED with `effect: "unknown"` when not everything could be restored, or git does not show it */
async function restore(git: GitOptions, { half, after }: { readonly half: InterruptedCheckout; readonly after: unknown }): Promise<void> {
  const left = await leftOf(git, half);
  // Times of restored files differ from those in the index, which the user's next command would have to compare.
  await runGit(["update-index", "-q", "--refresh"], { ...git, directory: half.path });
  if (left !== null && left.length === 0) return;
  const paths = (left ?? half.changes.map(({ path }) => path)).map(lossyText);
  const named = paths.slice(0, MOST_NAMED).map((path) => JSON.stringify(path));
  const more = paths.length > named.length ? ` and ${paths.length - named.length} more` : "";
  const were = left === null ? "these files may be changed" : "these files could not be put back";
  throw new TmpmError("GIT_FAILED", `${reasonOf(after)}; in ${JSON.stringify(half.path)} ${were}: ${named.join(", ")}${more}`, {
    effect: "unknown",
    hint: "`git status` there shows them, and `git restore FILE` restores one from the index.",
    details: { path: half.path, paths: paths.slice(0, MOST_ITEMS), count: paths.length },
    cause: after,
  });
}

/** Null when it cannot be determined. */
async function leftOf(git: GitOptions, half: InterruptedCheckout): Promise<readonly ByteText[] | null> {
  try {
    return await putBack(git, half);
  } catch (error) {
    if (error instanceof TmpmError) return null;
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
