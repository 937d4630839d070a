import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Folder {
  readonly path: string;
  /** Writes an executable script and returns its path. */
  script(name: string, body: string): string;
  [Symbol.dispose](): void;
}

/** A temporary folder to put on PATH. */
export function openFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "tmpm-"));
  return {
    path,
    script(name, body) {
      const file = join(path, name);
      writeFileSync(file, `#!/bin/sh\n${body}\n`);
      chmodSync(file, 0o755);
      return file;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
