import { randomBytes } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LAUNCH_FILE } from "../server/private-files.js";
import { CLAIM, type Launch, launchScript } from "./launch-script.js";

/** The script that a pane's `/bin/sh` runs, once and only while it is unclaimed. Readable by us only. */
export interface LaunchFile {
  readonly path: string;
  /** True when it has not run and never will, even if a shell already has it open. */
  withdraw(): boolean;
  /** No shell will run it: it was never passed on. */
  remove(): void;
  /** Removes the remains of its script, once that has claimed and emptied it. */
  removeOnceRun(): void;
}

const LOOK_EVERY_MS = 100;
/** Afterwards the next driver removes it at its start. */
const LOOKS = 100;

/**
 * Written synchronously: a turn of Node's thread pool costs several times as much as so small a file.
 * @throws INVALID_ARGUMENT for values that no script can express; errors of the file system
 */
export function writeLaunchFile(folder: string, spec: Launch): LaunchFile {
  const path = join(folder, `${LAUNCH_FILE}${randomBytes(12).toString("hex")}`);
  const claim = `${path}${CLAIM}`;
  writeFileSync(path, launchScript(spec), { flag: "wx", mode: 0o600 });
  const remove = () => {
    rmSync(path, { force: true });
    rmSync(claim, { force: true });
  };
  return {
    path,
    withdraw() {
      // The process that makes the claim owns the script. Our claim stays, for a late shell.
      const ours = isMade(claim);
      if (ours) rmSync(path, { force: true });
      return ours;
    },
    remove,
    removeOnceRun: () => void removeOnce({ claimed: () => existsSync(claim), remove }),
  };
}

async function removeOnce({ claimed, remove }: { readonly claimed: () => boolean; readonly remove: () => void }): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    await sleep(LOOK_EVERY_MS, null, { ref: false });
    if (claimed()) return remove();
  }
}

/** Also false when the file system takes no file: then nothing is proven. */
function isMade(path: string): boolean {
  try {
    writeFileSync(path, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
