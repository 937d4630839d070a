import type { BigIntStats } from "node:fs";
import type { GitOptions } from "../git/git.js";
import { type ByteText, lossyText } from "../review/byte-text.js";
import { below, type ChangedPath, changedPaths, foldersAbove, lookAt } from "./changed-paths.js";

/**
 * Files of a checkout that a move would replace although the old commit does not contain them. Git itself replaces ignored ones.
 * @throws GIT_FAILED
 */
export async function inTheWay(
  git: GitOptions,
  move: { readonly path: string; readonly from: string; readonly to: string },
): Promise<readonly string[]> {
  const changes = await changedPaths(git, move);
  const added = changes.filter(({ oldMode, newMode }) => oldMode === null && newMode !== null);
  const tracked = await trackedIn(move.path, changes);
  const places = new Set(added.flatMap(({ path }) => [path, ...foldersAbove(path)]));
  const found = await Promise.all([...places].map((place) => untrackedAt(tracked, place)));
  return found.flat().sort().map(lossyText);
}

/** The changed files of the old commit, also by identity: on a file system that ignores case another spelling reaches them. */
interface Tracked {
  readonly top: string;
  readonly paths: ReadonlySet<ByteText>;
  readonly identities: ReadonlySet<string>;
}

async function trackedIn(top: string, changes: readonly ChangedPath[]): Promise<Tracked> {
  const paths = changes.flatMap(({ path, oldMode }) => (oldMode === null ? [] : [path]));
  const found = await Promise.all(paths.map((path) => lookAt(below(top, path))));
  return { top, paths: new Set(paths), identities: new Set(found.flatMap((each) => (each === null ? [] : [identityOf(each)]))) };
}

async function untrackedAt(tracked: Tracked, path: ByteText): Promise<readonly ByteText[]> {
  const found = await lookAt(below(tracked.top, path));
  // Git refuses to remove a folder with other files in it, also with ignored ones.
  if (found === null || found.isDirectory()) return [];
  return isTracked(tracked, { path, found }) ? [] : [path];
}

function isTracked({ paths, identities }: Tracked, of: { readonly path: ByteText; readonly found: BigIntStats }): boolean {
  return paths.has(of.path) || identities.has(identityOf(of.found));
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
