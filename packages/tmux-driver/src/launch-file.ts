import { randomBytes } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type Launch, launchScript } from "./launch-script.js";
import { LAUNCH_FILE } from "./private-files.js";

/** Writes the script that a pane's `/bin/sh` runs, readable by us alone, and returns its path. It removes itself before anything else. */
export async function writeLaunchFile(folder: string, spec: Launch): Promise<string> {
  const script = launchScript(spec);
  const path = join(folder, `${LAUNCH_FILE}${randomBytes(12).toString("hex")}`);
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(script);
  } finally {
    await file.close();
  }
  return path;
}
