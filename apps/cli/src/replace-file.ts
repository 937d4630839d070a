import { randomBytes } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";

/** Readers see the old text or the new one. The mode is 0600. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
  renameSync(draft, path);
}
