import { randomBytes } from "node:crypto";
import { access, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CLAIM, type Launch, launchScript } from "./launch-script.js";
import { LAUNCH_FILE } from "./private-files.js";

/** The script that a pane's `/bin/sh` runs, once and only while nobody else has claimed it. Readable by us alone. */
export interface LaunchFile {
  readonly path: string;
  /** True when it has not run and never will, even where a shell has it open already. */
  withdraw(): Promise<boolean>;
  /** No shell will run it: it was never handed on. */
  remove(): Promise<void>;
  /** Removes what its script leaves, once that has claimed and emptied it. */
  removeOnceRun(): void;
}

const LOOK_EVERY_MS = 100;
/** After that it is left to the next driver's start. */
const LOOKS = 100;

/** @throws INVALID_ARGUMENT for what no script can say; errors of the file system */
export async function writeLaunchFile(folder: string, spec: Launch): Promise<LaunchFile> {
  const path = join(folder, `${LAUNCH_FILE}${randomBytes(12).toString("hex")}`);
  const claim = `${path}${CLAIM}`;
  await writeFile(path, launchScript(spec), { flag: "wx", mode: 0o600 });
  const remove = async () => {
    await rm(path, { force: true });
    await rm(claim, { force: true });
  };
  return {
    path,
    async withdraw() {
      // Whoever makes the claim has the script. Ours stays, for a shell that comes late.
      const ours = await isMade(claim);
      if (ours) await rm(path, { force: true });
      return ours;
    },
    remove,
    removeOnceRun: () => void removeOnce({ claimed: () => exists(claim), remove }),
  };
}

async function removeOnce({ claimed, remove }: { readonly claimed: () => Promise<boolean>; readonly remove: () => Promise<void> }) {
  for (let looks = 0; looks < LOOKS; looks++) {
    await sleep(LOOK_EVERY_MS, null, { ref: false });
    if (await claimed()) return remove();
  }
}

/** False also where the file system takes no file: then nothing is proven. */
async function isMade(path: string): Promise<boolean> {
  return writeFile(path, "", { flag: "wx", mode: 0o600 }).then(
    () => true,
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
