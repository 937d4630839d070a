import { constants } from "node:fs";
import { copyFile, cp, lstat, mkdir, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectSetup } from "@tmpm/core";
import { exists } from "../files/exists.js";
import { askGit } from "../git/require-git.js";

export interface PlacementOptions {
  /** The top of the workspace, without symbolic links. */
  readonly workspace: string;
  /** The directory that it was made from; null when it is not on this machine. */
  readonly source: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The result of placing a setup's files: missing sources are skipped. */
export interface PlacementResult {
  /** Why the rest was not placed; null on success. */
  readonly failure: string | null;
  readonly missing: readonly string[];
}

/** Copies and links files ignored by git in the workspace, so that none of them counts as work, without replacing any. */
export async function placeFiles(
  placing: PlacementOptions,
  { copy, link }: Pick<ProjectSetup, "copy" | "link">,
  { again = false }: { readonly again?: boolean } = {},
): Promise<PlacementResult> {
  const missing: string[] = [];
  for (const [verb, paths] of [
    ["copy", copy],
    ["link", link],
  ] as const) {
    for (const path of paths) {
      const outcome = await place(placing, { verb, path });
      if (outcome === "missing") missing.push(path);
      else if (again && outcome === THERE) continue;
      else if (outcome !== null) return { failure: `${verb} ${path}: ${outcome}`, missing };
    }
  }
  return { failure: null, missing };
}

interface Wanted {
  readonly verb: "copy" | "link";
  readonly path: string;
}

/** Null on success; otherwise the reason. */
async function place(placing: PlacementOptions, wanted: Wanted): Promise<string | null> {
  try {
    return await placeOne(placing, wanted);
  } catch (error) {
    // A disk error fails the setup, for any file.
    if (error instanceof Error && "code" in error && typeof error.code === "string") return error.message;
    throw error;
  }
}

async function placeOne({ workspace, source, env }: PlacementOptions, { verb, path }: Wanted): Promise<string | null> {
  if (source === null) return "the workspace was not made from a local directory";
  const from = join(source, path);
  if (!(await exists(from))) return "missing";
  if ((await realpath(from)) !== join(await realpath(source), path)) return LINKED;
  const found = await lstat(from);
  if (!found.isFile() && !found.isDirectory()) return "it is neither a file nor a directory";
  const to = join(workspace, path);
  if (await exists(to)) return THERE;
  if (!(await askGit(["check-ignore", "--quiet", "--", path], { directory: workspace, env }))) return "git does not ignore it there";
  if (!(await makeParents(workspace, path))) return LINKED;
  if (verb === "link") await symlink(from, to);
  else if (found.isFile()) await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  else await cp(from, to, { recursive: true, force: false, errorOnExist: true, verbatimSymlinks: true });
  return null;
}

const THERE = "it already exists there";
const LINKED = "a symbolic link is in its path";

/** Creates the parent directories of a path, one by one, so that no link leads out of the workspace; false when one is in the way. */
async function makeParents(workspace: string, path: string): Promise<boolean> {
  let parent = workspace;
  for (const name of path.split("/").slice(0, -1)) {
    parent = join(parent, name);
    if (!(await exists(parent))) await mkdir(parent);
    if (!(await lstat(parent)).isDirectory()) return false;
  }
  return true;
}
