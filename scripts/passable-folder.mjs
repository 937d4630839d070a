import { chmodSync, mkdtempSync } from "node:fs";

/** Some tests run programs as another user, who must reach the files below. */
const PASSABLE = 0o711;

/** Creates a folder, whose name is the given path and random letters. */
export function passableFolder(path) {
  const folder = mkdtempSync(path);
  chmodSync(folder, PASSABLE);
  return folder;
}
