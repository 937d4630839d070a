import { randomBytes } from "node:crypto";
import { open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Launch, launchScript } from "./launch-script.js";

const PREFIX = "launch-";
const STALE_MS = 60_000;

/** Writes the script that a pane's `/bin/sh` runs, readable by us alone, and returns its path. It removes itself before anything else. */
export async function writeLaunchFile(folder: string, spec: Launch): Promise<string> {
  const script = launchScript(spec);
  const path = join(folder, `${PREFIX}${randomBytes(12).toString("hex")}`);
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(script);
  } finally {
    await file.close();
  }
  return path;
}

/** Removes what creations that were killed left behind. */
export async function removeStaleLaunchFiles(folder: string, now: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => now - mtimeMs,
      // Its own script has removed it meanwhile.
      () => 0,
    );
    if (age > STALE_MS) await rm(path, { force: true });
  }
}
