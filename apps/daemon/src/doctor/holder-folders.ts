import { join } from "node:path";

/** Where the holders of a data folder have theirs: those of PTYs, and of agents that are spoken with. */
export function holderFolders(home: string): readonly string[] {
  return [join(home, "run", "pty"), join(home, "run", "sdk")];
}
