import { randomBytes } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { temporaryName } from "@tmpm/core/temporary-name";

/** Replaces a file atomically. The mode is 0600. */
export function replaceFile(path: string, text: string): void {
  const name = temporaryName(basename(path), { pid: process.pid, token: randomBytes(8).toString("hex") });
  const draft = join(dirname(path), name);
  writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
  renameSync(draft, path);
}
