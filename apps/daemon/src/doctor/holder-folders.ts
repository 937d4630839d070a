import { join } from "node:path";

/** The folders of a data folder's holders: those of PTYs, and of protocol (ACP) agents. */
export function holderFolders(home: string): readonly string[] {
  return [join(home, "run", "pty"), join(home, "run", "sdk")];
}
