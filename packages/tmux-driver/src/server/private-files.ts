import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Prefix of short-lived files. */
export const LAUNCH_FILE = "launch-";
export const TEXT_FILE = "text-";

const STALE_MS = 60_000;

/** Removes leftovers of killed drivers. `now` is by the file system's clock, in milliseconds since 1970. */
export async function removeStaleFiles(folder: string, now: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(LAUNCH_FILE) || name.startsWith(TEXT_FILE));
  for (const name of names) {
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => now - mtimeMs,
      // Its own script, or its driver, has removed it meanwhile.
      () => 0,
    );
    if (age > STALE_MS) await rm(path, { force: true });
  }
}
