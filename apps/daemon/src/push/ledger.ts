import { PushEntry } from "@tmpm/api";
import type { DocumentStore } from "@tmpm/store";
import * as z from "zod";

/** Outcomes of notifications to browsers, newest first. */
export const Ledger = z.object({ entries: z.array(PushEntry) });
export type Ledger = Readonly<z.infer<typeof Ledger>>;

export interface KeptLedger {
  enter(entry: PushEntry): void;
  entries(): readonly PushEntry[];
  /** Resolves once every entry is on disk, or failed to be written. */
  written(): Promise<void>;
}

export interface LedgerOptions {
  readonly documents: DocumentStore<Ledger>;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

const KEY = "ledger";
const MOST_ENTRIES = 200;

/** Extends an earlier daemon's entries. An unreadable file is replaced only by a new entry. */
export async function keptLedger({ documents, report }: LedgerOptions): Promise<KeptLedger> {
  const faulty = (error: unknown) => report({ doing: "reading or writing the outcomes of notifications to browsers", error });
  let entries: readonly PushEntry[] = await documents.get(KEY).then(
    (kept) => kept?.entries ?? [],
    (error: unknown) => {
      faulty(error);
      return [];
    },
  );
  let isWritten = true;
  let writing: Promise<void> = Promise.resolve();

  /** Entries made during a write are in the next one. */
  async function write(): Promise<void> {
    if (isWritten) return;
    isWritten = true;
    await documents.put(KEY, { entries: [...entries] }).catch(faulty);
  }

  return {
    enter(entry) {
      entries = [entry, ...entries].slice(0, MOST_ENTRIES);
      isWritten = false;
      writing = writing.then(write);
    },
    entries: () => entries,
    written: () => writing,
  };
}
