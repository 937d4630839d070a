import type { Subscription } from "../store.js";
import type { JournalEntry } from "./journal.js";

type Follower = (entry: JournalEntry) => void;

/** The followers of a journal. None is notified within the call that caused the event. */
export interface JournalFollowers {
  add(listener: Follower): Subscription;
  publish(entries: readonly JournalEntry[]): void;
  clear(): void;
}

export function journalFollowers(): JournalFollowers {
  const all = new Set<Follower>();
  return {
    add(listener) {
      const hear: Follower = (entry) => queueMicrotask(() => all.has(hear) && listener(entry));
      all.add(hear);
      return {
        close() {
          all.delete(hear);
        },
      };
    },
    publish(entries) {
      for (const hear of all) entries.forEach(hear);
    },
    clear: () => all.clear(),
  };
}
