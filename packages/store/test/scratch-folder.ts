import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ScratchFolder {
  readonly path: string;
  remove(): void;
}

/** A new folder for one test. */
export function scratchFolder(): ScratchFolder {
  const path = mkdtempSync(join(tmpdir(), "tmpm-store-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
