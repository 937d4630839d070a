import { basename, dirname } from "node:path";
import type { Changes } from "../sessions/catalog.js";
import { RECORD_SUFFIX, type RecordFile } from "../sessions/record-file.js";

/** Files to check every time: unread, changed so recently that a change could be hidden, or with another hard link. */
export interface UnsettledFiles {
  apply(changes: Changes<RecordFile>): void;
  /** Their ids in a folder. */
  in(folder: string): Iterable<string>;
}

export function unsettledFiles(): UnsettledFiles {
  const all = new Map<string, Set<string>>();

  function settle(path: string): void {
    const folder = dirname(path);
    const ids = all.get(folder);
    ids?.delete(basename(path, RECORD_SUFFIX));
    if (ids?.size === 0) all.delete(folder);
  }

  function unsettle({ path, id }: RecordFile): void {
    const folder = dirname(path);
    all.set(folder, (all.get(folder) ?? new Set()).add(id));
  }

  return {
    apply({ puts, drops }) {
      for (const path of drops) settle(path);
      for (const file of puts) {
        if (isSettled(file)) settle(file.path);
        else unsettle(file);
      }
    },
    in: (folder) => all.get(folder) ?? [],
  };
}

/** A write through another hard link is not reported in the folder. */
function isSettled({ identity, racyText }: RecordFile): boolean {
  return identity !== null && racyText === null && identity.nlink === 1n;
}
