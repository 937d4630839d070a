import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** The hash stored at `path` by the last complete run, or null. */
export function readStamp(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  }
}

/** Called before the work, so that an interrupted run never counts as complete. */
export function clearStamp(path) {
  rmSync(path, { force: true });
}

export function writeStamp(path, hash) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, hash);
  renameSync(temporary, path);
}
