import { randomBytes } from "node:crypto";
import { lstat, mkdir, open, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { TmpmError, temporaryName } from "@tmpm/core";
import { readRegularFile } from "@tmpm/processes";

/** Creates the folder, private to us. @throws UNSAFE_PATH when it is not, or belongs to another user */
export async function prepareStateDir(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const info = await lstat(path);
  const uid = process.getuid?.() ?? info.uid;
  if (info.isDirectory() && info.uid === uid && (info.mode & 0o077) === 0) return;
  throw new TmpmError("UNSAFE_PATH", `the folder ${path} is not private`, { hint: `chmod 700 ${path}`, details: { path } });
}

/** Writes the file atomically unless unchanged; returns its path. */
export async function writeWhole(path: string, text: string): Promise<string> {
  const current = await readRegularFile(path).catch(() => null);
  if (current === text) return path;
  const name = temporaryName(basename(path), { pid: process.pid, token: randomBytes(8).toString("hex") });
  const draft = join(dirname(path), name);
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  await rename(draft, path);
  return path;
}
