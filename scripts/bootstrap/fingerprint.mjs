import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./root.mjs";

/** Skipped: installed, built or cached by tools. */
const SKIPPED = new Set(["node_modules", ".turbo", ".cache", ".git"]);

/** One hash of the names and contents of files; a missing file is hashed as missing. Paths are absolute. */
export function fingerprint(files, ...facts) {
  const hash = createHash("sha256").update(JSON.stringify([process.version, process.platform, process.arch, ...facts]));
  for (const file of [...files].sort()) {
    const content = contentOf(file);
    hash.update(`\0${relative(root, file)}\0${content === null ? "missing" : content.length}\0`).update(content ?? "");
  }
  return hash.digest("hex");
}

/** All files below a folder, without installed ones; `skip` names folders and files to leave out at its top level. */
export function filesBelow(folder, { skip = [] } = {}) {
  return entriesOf(folder).flatMap((entry) => {
    if (SKIPPED.has(entry.name) || skip.includes(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** The folders of the workspace: every folder with a package.json at the first or second level. */
export function workspaceFolders() {
  const foldersIn = (folder) => entriesOf(folder).filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name));
  const first = foldersIn(root).map((entry) => join(root, entry.name));
  const second = first.flatMap((folder) => foldersIn(folder).map((entry) => join(folder, entry.name)));
  return [...first, ...second].filter((folder) => contentOf(join(folder, "package.json")) !== null);
}

/** The names in a folder, sorted; empty if it does not exist. */
export function namesIn(folder) {
  return entriesOf(folder)
    .map((entry) => entry.name)
    .sort();
}

function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

function contentOf(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  }
}
