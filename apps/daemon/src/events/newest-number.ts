import { isTmpmError } from "@tmpm/core";
import type { EventJournal } from "@tmpm/store";

/** The number of the newest event; null while the journal cannot be read. */
export async function newestNumber(journal: Pick<EventJournal, "read">): Promise<number | null> {
  try {
    const page = await journal.read({ after: Number.MAX_SAFE_INTEGER, limit: 1 });
    return page.kind === "behind" ? page.snapshot_at : null;
  } catch (error) {
    if (isTmpmError(error)) return null;
    throw error;
  }
}
