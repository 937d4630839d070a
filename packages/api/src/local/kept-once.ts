import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryName } from "@tmpm/core/temporary-name";
import { readOwnFile } from "./own-file.js";

/**
 * The text of a private file, which is written on first use and never again; concurrent first uses get the same text. In a private folder. @throws
 * UNSAFE_PATH
 */
export function keptOnce(path: string, { name, make }: { readonly name: string; readonly make: () => string }): string {
  return readOwnFile(path) ?? written(path, { name, text: make() });
}

function written(path: string, { name, text }: { readonly name: string; readonly text: string }): string {
  const draft = join(dirname(path), temporaryName(name, { pid: process.pid, token: randomBytes(8).toString("hex") }));
  const fd = openSync(draft, "wx", 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  try {
    linkSync(draft, path);
    return text;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    return readOwnFile(path) ?? text;
  } finally {
    rmSync(draft, { force: true });
  }
}
