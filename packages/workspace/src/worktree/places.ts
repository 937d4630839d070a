import { lstat, mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hasErrno, SLUG_PATTERN, TmpmError } from "@tmpm/core";
import { syncFolder } from "../files/private-file.js";

/** The folder of workspaces, `<root>/<project>/<name>-<short id>`, and the trash. Neither path contains a symbolic link. */
export interface Places {
  readonly root: string;
  readonly trash: string;
}

export async function placesIn(home: string): Promise<Places> {
  const real = await realpath(home);
  return { root: join(real, "workspaces"), trash: join(real, "trash") };
}

/** Whether the path is directly below a project's folder in the root, in our spelling. */
export function isWorkspacePath(path: string, { root }: Places): boolean {
  const project = dirname(path);
  return (
    SLUG_PATTERN.test(basename(path)) && SLUG_PATTERN.test(basename(project)) && path === join(root, basename(project), basename(path))
  );
}

/** Why a folder is not a valid one of ours; null when it is. `shared`: others may write to it. */
export type FolderFault = "missing" | "link" | "not_a_folder" | "foreign" | "shared";

export const FOLDER_FAULTS: Readonly<Record<FolderFault, string>> = {
  missing: "it is missing",
  link: "it is a symbolic link",
  not_a_folder: "it is not a directory",
  foreign: "it belongs to another user",
  shared: "other users may write to it",
};

export async function folderFault(path: string): Promise<FolderFault | null> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return "link";
    if (!found.isDirectory()) return "not_a_folder";
    if (found.uid !== process.geteuid?.()) return "foreign";
    return (found.mode & 0o022) === 0 ? null : "shared";
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return "missing";
    throw error;
  }
}

/** Creates private folders of ours, from the outermost, and requires existing ones to be private. @throws UNSAFE_PATH */
export async function makeFolders(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (await createFolder(path)) await syncFolder(dirname(path));
    const fault = await folderFault(path);
    if (fault !== null)
      throw new TmpmError("UNSAFE_PATH", `${JSON.stringify(path)} cannot be used: ${FOLDER_FAULTS[fault]}`, { details: { path } });
  }
}

/** False when the path already exists. */
export async function createFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (hasErrno(error, "EEXIST")) return false;
    throw error;
  }
}
