import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import { type GitOptions, git as runGit, type Scratch } from "../git/git.js";
import { requireGit } from "../git/require-git.js";
import type { ByteText } from "../review/byte-text.js";
import { withScratchIndex } from "../review/scratch-index.js";
import { type ChangedPath, removePaths, type Stamp, stampsOf, type WorkTreeStamps } from "./changed-paths.js";
import { partlyWritten } from "./partly-written.js";

/** A checkout whose move was interrupted before its index was written. */
export interface InterruptedCheckout {
  readonly path: string;
  readonly changes: readonly ChangedPath[];
  /** Before the move; null after a crash, when it is not known. */
  readonly seen: WorkTreeStamps | null;
}

type Scratched = GitOptions & { readonly scratch: Scratch };

/**
 * Restores the files of a checkout that an interrupted move has written or removed, from its index. Files are identified by their content;
 * others stay unchanged. Returns the paths that the move may have changed and that could not be restored.
 */
export async function putBack(git: GitOptions, half: InterruptedCheckout): Promise<readonly ByteText[]> {
  const inside = { ...git, directory: half.path, encoding: "latin1" } as const;
  return withScratchIndex({ ...inside, objects: "repository" }, async (scratched) => {
    const touched = await touchedOf(scratched, half);
    if (touched.length === 0) return [];
    const ours = await writtenByUs(scratched, { half, touched });
    const added = ours.filter(({ oldMode }) => oldMode === null);
    await removePaths(half.path, { paths: added.map(({ path }) => path), kept: half.seen?.folders ?? new Set() });
    const now = await stampsOf(half.path, pathsOf(touched));
    const again = touched.filter((change) => change.oldMode !== null && (ours.includes(change) || now.get(change.path) === null));
    await writeAgain(scratched, { half, paths: pathsOf(again) });
    return pathsOf(await touchedOf(scratched, half));
  });
}

function pathsOf(changes: readonly ChangedPath[]): readonly ByteText[] {
  return changes.map(({ path }) => path);
}

/** The paths that differ from the index and were changed since the move began. */
async function touchedOf(git: Scratched, { path, changes, seen }: InterruptedCheckout): Promise<readonly ChangedPath[]> {
  const differing = await differingFrom(git);
  const now = await stampsOf(path, pathsOf(changes));
  const differs = (change: ChangedPath) => {
    const stamp = stampAt(now, change);
    if (change.oldMode === null ? stamp === null : !differing.has(change.path)) return false;
    return seen === null || stamp !== stampAt(seen.stamps, change);
  };
  return changes.filter(differs);
}

function stampAt(stamps: ReadonlyMap<ByteText, Stamp>, { path }: ChangedPath): Stamp {
  return stamps.get(path) ?? null;
}

/** The files of an index that the work tree has not, or not with that content. */
async function differingFrom(git: Scratched): Promise<ReadonlySet<ByteText>> {
  await requireGit(["update-index", "-q", "--refresh"], { ...git, accept: [0, 1] });
  return new Set((await requireGit(["diff-files", "-z", "--name-only", "--ignore-submodules=all"], git)).split("\0"));
}

/** Those with the content of the new commit; without a crash in between also the beginning of it, since a full disk leaves no more. */
async function writtenByUs(
  git: Scratched,
  { half, touched }: { readonly half: InterruptedCheckout; readonly touched: readonly ChangedPath[] },
): Promise<readonly ChangedPath[]> {
  const present = await stampsOf(half.path, pathsOf(touched));
  const candidates = touched.filter((change) => change.newMode !== null && present.get(change.path) !== null);
  if (candidates.length === 0) return [];
  const { index } = git.scratch;
  const other = { ...git, scratch: { ...git.scratch, index: join(index, "..", "moved") } };
  const input = candidates.map(({ newMode, newId, path }) => `${newMode} ${newId}\t${path}\0`).join("");
  await requireGit(["update-index", "-z", "--index-info"], { ...other, input });
  const unlike = await differingFrom(other);
  const ours = candidates.filter(({ path }) => !unlike.has(path));
  if (half.seen === null) return ours;
  const others = candidates.filter(({ path }) => unlike.has(path));
  return [...ours, ...(await partlyWritten({ ...git, directory: half.path }, others))];
}

/** Splits the list when git fails, so that one file whose filter fails does not affect the others. */
const MOST_TRIES = 64;

async function writeAgain(git: Scratched, of: { readonly half: InterruptedCheckout; readonly paths: readonly ByteText[] }): Promise<void> {
  const lists = [of.paths];
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const list = lists.pop();
    if (list === undefined) return;
    if (list.length === 0 || (await writeFiles(git, list)) || list.length === 1) continue;
    const middle = Math.ceil(list.length / 2);
    lists.push(list.slice(middle), list.slice(0, middle));
  }
}

/** With the user's filters, as git wrote them before. */
async function writeFiles(git: Scratched, paths: readonly ByteText[]): Promise<boolean> {
  const input = paths.map((path) => `${path}\0`).join("");
  const result = await runGit(["checkout-index", "-f", "-q", "-z", "--stdin"], { ...git, input, hooks: "users" });
  if (result.kind === "exited") return result.exitCode === 0;
  // Splitting would only wait for as long again.
  throw new TmpmError("GIT_FAILED", `git checkout-index: ${result.reason}`, { effect: "unknown" });
}
