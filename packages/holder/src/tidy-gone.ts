import { isTmpmError, type KeyedQueue, shortageOf } from "@tmpm/core";
import { type ProcessTable, processTable } from "@tmpm/processes";
import { clearEnded } from "./end-holder.js";
import type { FoundHolder } from "./find-holder.js";
import { socketPath } from "./holder-folder.js";

export interface TidyOptions {
  /** What else changes a holder's folder runs in this lane too, under the socket in that folder. */
  readonly lane: KeyedQueue;
  readonly table?: ProcessTable;
}

/** Given all folders of a base, ends in the background what ended holders left, and removes their folders. */
export function tidyGone({ lane, table = processTable() }: TidyOptions): (all: readonly FoundHolder[]) => void {
  /** The process of each folder already cleaned up; after a failure, the next look tries again. */
  const tidied = new Map<string, number>();

  async function tidy(found: FoundHolder): Promise<void> {
    if (found.kind !== "gone") return;
    const { folder, facts } = found;
    if (tidied.get(folder) === facts.pid) return;
    tidied.set(folder, facts.pid);
    const tidying = lane.run(socketPath(folder), async () => {
      // Checked again: nothing of a holder that runs may end.
      if ((await clearEnded({ folder, facts }, { table })) === null) tidied.delete(folder);
    });
    await tidying.catch((error: unknown) => {
      tidied.delete(folder);
      if (!isTmpmError(error) && shortageOf(error) === null) throw error;
    });
  }

  return (all) => {
    const there = new Set(all.map(({ folder }) => folder));
    for (const folder of tidied.keys()) if (!there.has(folder)) tidied.delete(folder);
    for (const found of all) void tidy(found);
  };
}
