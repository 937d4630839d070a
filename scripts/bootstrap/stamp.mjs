import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** The hash that the last complete run left at `path`, or null. */
export function readStamp(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  }
}

/** Before the work: whatever interrupts it, nobody takes it for complete. */
export function clearStamp(path) {
  rmSync(path, { force: true });
}

export function writeStamp(path, hash) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, hash);
  renameSync(temporary, path);
}
