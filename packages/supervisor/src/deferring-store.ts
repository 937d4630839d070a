import { hasCode, isTmpmError, keyedQueue, type SessionId, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Entry } from "@tmpm/store";
import type { RememberingStore } from "./remembering-store.js";

type Change = (current: SessionRecord) => SessionRecord;

/** A store whose essential changes are possible with a full or read-only disk. */
export interface DeferringStore extends RememberingStore {
  /**
   * Like `update`. A change that the disk rejects is kept in memory and in `DeferredPlace`, and included in every read, until it can be
   * written. For an unreadable record, its last known version is changed until it is readable.
   */
  updateAnyway(id: SessionId, change: Change): Promise<SessionRecord>;
  /** Tries to write pending changes. @throws the store's error for a change that can never be written; it is dropped */
  flush(): Promise<void>;
}

/** A record to be written once the disk accepts it. */
export interface DeferredRecord {
  readonly record: SessionRecord;
  /** The `rev` of the record on the disk that it is based on. */
  readonly base: number;
}

/** A place for deferred records on another disk, where they outlive the daemon. */
export interface DeferredPlace {
  /** The last daemon's deferred records. */
  load(): readonly DeferredRecord[];
  /** Replaces them. It never fails: if no disk accepts them, they are only in memory. */
  save(records: readonly DeferredRecord[]): void;
}

const NOWHERE: DeferredPlace = { load: () => [], save: () => undefined };

interface Kept extends DeferredRecord {
  /** In order; they are applied to the record as it is then. */
  readonly changes: readonly Change[];
  /** False for the last daemon's: valid only while the record on the disk is the one that it is based on. */
  readonly own: boolean;
  readonly cause: TmpmError;
}

export function deferringStore(store: RememberingStore, place: DeferredPlace = NOWHERE): DeferringStore {
  // A kept change must not be applied twice, nor dropped unwritten.
  const writing = keyedQueue();
  const kept = new Map<SessionId, Kept>(place.load().map((left) => [left.record.id, leftOver(left)]));
  const save = () => place.save(Array.from(kept.values(), ({ record, base }) => ({ record, base })));

  function shown<E extends Entry | null>(entry: E): E | Entry {
    const held = entry?.kind === "session" ? kept.get(entry.record.id) : undefined;
    if (entry?.kind !== "session" || held === undefined) return entry;
    return held.own || held.base === entry.record.rev ? { ...entry, record: held.record } : entry;
  }

  function forget(id: SessionId): void {
    if (kept.delete(id)) save();
  }

  async function update(id: SessionId, change: Change): Promise<SessionRecord> {
    const changes = [...(kept.get(id)?.changes ?? []), change];
    const record = await store.update(id, (current) => changes.reduce((record, each) => each(record), current));
    forget(id);
    return record;
  }

  async function keep(id: SessionId, { change, cause }: { readonly change: Change; readonly cause: TmpmError }): Promise<SessionRecord> {
    const written = await store.get(id);
    const entry = shown(written);
    if (entry?.kind !== "session" || written?.kind !== "session") throw cause;
    const changed = change(entry.record);
    const record = changed === entry.record ? changed : { ...changed, rev: entry.record.rev + 1 };
    const before = kept.get(id);
    const changes = [...(before?.changes ?? []), change];
    kept.set(id, { changes, record, cause, base: before?.base ?? written.record.rev, own: before?.own ?? true });
    save();
    return record;
  }

  function recallChanged(change: Change, before: SessionRecord): SessionRecord {
    const record = change(before);
    store.recall(record);
    return record;
  }

  async function updateAnyway(id: SessionId, change: Change): Promise<SessionRecord> {
    try {
      return await update(id, change);
    } catch (error) {
      const lost = hasCode(error, "RECORD_DAMAGED", "RECORD_UNSUPPORTED") ? store.unreadable(id) : null;
      if (lost !== null) return recallChanged(change, lost.record);
      if (!takesNothing(error)) throw error;
      return keep(id, { change, cause: error });
    }
  }

  return {
    ...store,
    async list(filter) {
      const entries = await store.list(filter);
      return kept.size === 0 ? entries : entries.map(shown);
    },
    get: async (id) => shown(await store.get(id)),
    find: async (text, filter) => (await store.find(text, filter)).map(shown),
    findByIssue: async (project, issue) => shown(await store.findByIssue(project, issue)),
    update: (id, change) => writing.run(id, () => update(id, change)),
    updateAnyway: (id, change) => writing.run(id, () => updateAnyway(id, change)),
    async flush() {
      for (const id of kept.keys()) {
        try {
          await writing.run(id, () => update(id, (record) => record));
        } catch (error) {
          if (takesNothing(error)) return;
          forget(id);
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

function leftOver({ record, base }: DeferredRecord): Kept {
  const change: Change = (current) => (current.rev === base ? { ...record, rev: current.rev } : current);
  const cause = new TmpmError("STORE_READ_ONLY", "the last daemon could not write it");
  return { changes: [change], record, base, own: false, cause };
}

function takesNothing(error: unknown): error is TmpmError {
  return isTmpmError(error) && error.effect === "none" && hasCode(error, "STORAGE_FULL", "STORE_READ_ONLY");
}

function unwritten(count: number, cause: TmpmError): TmpmError {
  const sessions = count === 1 ? "a change of one session" : `changes of ${count} sessions`;
  return new TmpmError(cause.code, `${sessions} cannot be written to the disk yet: ${cause.message}`, {
    ...(cause.hint === null ? {} : { hint: cause.hint }),
    details: cause.details,
    cause,
  });
}
