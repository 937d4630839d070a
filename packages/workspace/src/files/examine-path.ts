import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";

/** The kind of file at a path. */
export type Place =
  | { readonly kind: "missing" }
  | { readonly kind: "not_directory"; readonly realPath: string }
  | { readonly kind: "unreadable"; readonly reason: string }
  /** `realPath` is without symbolic links. */
  | { readonly kind: "directory"; readonly realPath: string };

/** A network disk may not answer. */
const DEADLINE_MS = 5000;

/** Checks that a directory exists and is accessible. */
export async function examinePath(path: string): Promise<Place> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Place>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "unreadable", reason: `no answer within ${DEADLINE_MS} ms` }), DEADLINE_MS);
  });
  try {
    return await Promise.race([look(path), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function look(path: string): Promise<Place> {
  try {
    const realPath = await realpath(path);
    if (!(await stat(realPath)).isDirectory()) return { kind: "not_directory", realPath };
    await access(realPath, constants.R_OK | constants.X_OK);
    return { kind: "directory", realPath };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    // A file in place of a parent directory (ENOTDIR) means that the path does not exist.
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return { kind: "missing" };
    return { kind: "unreadable", reason: String(error.code) };
  }
}
