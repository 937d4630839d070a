import { hasCode, isTmpmError, type SessionId, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Entry } from "@tmpm/store";
import type { RememberingStore } from "./remembering-store.js";

type Change = (current: SessionRecord) => SessionRecord;

/** A store of which a full or read-only disk does not stop what has to be possible then. */
export interface DeferringStore extends RememberingStore {
  /**
   * As `update`. A change that the disk does not take is kept in memory and shown by every read, until it can be written. Of a record that cannot be read, what
   * was known last is changed, until it can be read.
   */
  updateAnyway(id: SessionId, change: Change): Promise<SessionRecord>;
  /** Tries to write what is kept. @throws what the store throws for a change that can never be written; it is dropped */
  flush(): Promise<void>;
}

interface Kept {
  /** In their order; they are applied to the record as it is then. */
  readonly changes: readonly Change[];
  readonly record: SessionRecord;
  readonly cause: TmpmError;
}

export function deferringStore(store: RememberingStore): DeferringStore {
  const kept = new Map<SessionId, Kept>();

  function shown<E extends Entry | null>(entry: E): E | Entry {
    const held = entry?.kind === "session" ? kept.get(entry.record.id) : undefined;
    return entry?.kind === "session" && held !== undefined ? { ...entry, record: held.record } : entry;
  }

  async function update(id: SessionId, change: Change): Promise<SessionRecord> {
    const changes = [...(kept.get(id)?.changes ?? []), change];
    const record = await store.update(id, (current) => changes.reduce((record, each) => each(record), current));
    kept.delete(id);
    return record;
  }

  async function keep(id: SessionId, { change, cause }: { readonly change: Change; readonly cause: TmpmError }): Promise<SessionRecord> {
    const entry = shown(await store.get(id));
    if (entry?.kind !== "session") throw cause;
    const changed = change(entry.record);
    const record = changed === entry.record ? changed : { ...changed, rev: entry.record.rev + 1 };
    kept.set(id, { changes: [...(kept.get(id)?.changes ?? []), change], record, cause });
    return record;
  }

  function recallChanged(change: Change, before: SessionRecord): SessionRecord {
    const record = change(before);
    store.recall(record);
    return record;
  }

  return {
    ...store,
    list: async (filter) => (await store.list(filter)).map(shown),
    get: async (id) => shown(await store.get(id)),
    find: async (text, filter) => (await store.find(text, filter)).map(shown),
    findByIssue: async (project, issue) => shown(await store.findByIssue(project, issue)),
    update,
    async updateAnyway(id, change) {
      try {
        return await update(id, change);
      } catch (error) {
        const lost = hasCode(error, "RECORD_DAMAGED", "RECORD_UNSUPPORTED") ? store.unreadable(id) : null;
        if (lost !== null) return recallChanged(change, lost.record);
        if (!takesNothing(error)) throw error;
        return keep(id, { change, cause: error });
      }
    },
    async flush() {
      for (const id of kept.keys()) {
        try {
          await update(id, (record) => record);
        } catch (error) {
          if (takesNothing(error)) return;
          kept.delete(id);
          throw error;
        }
      }
    },
    health() {
      const [first] = kept.values();
      const health = store.health();
      return first === undefined || health.state === "degraded" ? health : { state: "degraded", error: unwritten(kept.size, first.cause) };
    },
  };
}

function takesNothing(error: unknown): error is TmpmError {
  return isTmpmError(error) && error.effect === "none" && hasCode(error, "STORAGE_FULL", "STORE_READ_ONLY");
}

function unwritten(count: number, cause: TmpmError): TmpmError {
  const sessions = count === 1 ? "a change of one session is" : `changes of ${count} sessions are`;
  return new TmpmError(cause.code, `${sessions} in memory alone until the disk takes them: ${cause.message}`, {
    ...(cause.hint === null ? {} : { hint: cause.hint }),
    details: cause.details,
    cause,
  });
}
