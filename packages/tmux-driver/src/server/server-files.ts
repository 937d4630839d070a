import { join } from "node:path";
import { DISK_FULL, hasErrno, onceDone, shortageOf, TmpmError } from "@tmpm/core";
import { type EnvironmentSource, sharedTurn } from "@tmpm/processes";
import { capabilitiesOf } from "../capabilities.js";
import { renderConfig } from "./config.js";
import { removeStaleFiles } from "./private-files.js";
import { prepareStateDir, writeWhole } from "./state-dir.js";
import { readUserConfig } from "./user-config.js";

export interface ServerFilesOptions {
  readonly stateDir: string;
  readonly env: EnvironmentSource;
  readonly userConfig?: "keys" | "all";
  /** The environment of the program that starts a server. */
  readonly version: () => Promise<string>;
}

/** The files that a server needs when it starts. */
export interface ServerFiles {
  /** Ensures that they exist: without them a server would start with other settings. */
  prepare(): Promise<void>;
}

export function serverFiles({ stateDir, env, userConfig, version }: ServerFilesOptions): ServerFiles {
  const config = onceDone(async () => {
    const { path, settings } = await readUserConfig(env);
    return renderConfig({ user: settings, source: userConfig === "all" ? path : null, capabilities: capabilitiesOf(await version()) });
  });
  // A file's age is measured by the file system's clock.
  const cleanUp = onceDone(() => removeStaleFiles(stateDir, Date.now()));
  return {
    prepare: sharedTurn(async () => {
      try {
        await prepareStateDir(stateDir);
        await cleanUp();
        await writeWhole(configPath(stateDir), await config());
      } catch (error) {
        throw storageError(error);
      }
    }),
  };
}

export function configPath(stateDir: string): string {
  return join(stateDir, "tmux.conf");
}

/** The error for an unwritable folder; any other error unchanged. */
export function storageError(error: unknown): unknown {
  if (hasErrno(error, ...DISK_FULL)) return new TmpmError("STORAGE_FULL", `the disk is full: ${error.message}`, { cause: error });
  if (hasErrno(error, "EROFS", "EACCES", "EPERM"))
    return new TmpmError("STORE_READ_ONLY", `the folder for tmux's files is not writable: ${error.message}`, { cause: error });
  return shortageOf(error) ?? error;
}
