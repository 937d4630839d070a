import { type SessionId, type Timestamp, UsageRecord } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";
import { latestWriter } from "../thoughts/latest-writer.js";

/** Usage of all sessions. In memory; each session's counts and reading positions are written together, in the background. */
export interface UsageRegistry {
  /** Loads an earlier run's counts. */
  load(): Promise<void>;
  get(id: SessionId): UsageRecord | null;
  /** A session's counts, or initial ones. */
  of(id: SessionId): UsageRecord;
  all(): readonly UsageRecord[];
  /** Whether a response is counted in another session. */
  takenFrom(id: SessionId): (key: string) => boolean;
  /** Whether a response is counted in this session. */
  countedIn(id: SessionId): (key: string) => boolean;
  take(record: UsageRecord): void;
  /** Starts writing unwritten counts, of one session or of all. */
  write(id?: SessionId): void;
  /** Drops a session permanently. */
  forget(id: SessionId): Promise<void>;
  /** Resolves when everything is written, or the rest has just failed. */
  drained(): Promise<void>;
}

export interface UsageRegistryOptions {
  readonly documents: DocumentStore<UsageRecord>;
  readonly now: () => Timestamp;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

function keysOf({ seen, recent }: UsageRecord): readonly string[] {
  return [...seen, ...recent.map(({ key }) => key)];
}

export function usageRegistry({ documents, now, report }: UsageRegistryOptions): UsageRegistry {
  const records = new Map<SessionId, UsageRecord>();
  const owners = new Map<string, SessionId>();
  const unwritten = new Set<SessionId>();
  const writer = latestWriter<UsageRecord>({
    write: (id, record) => documents.put(id, record),
    failed: (error) => report({ doing: "keeping what a session has used", error }),
  });

  function claim({ session_id }: UsageRecord, keys: Iterable<string>): void {
    for (const key of keys) if (!owners.has(key)) owners.set(key, session_id);
  }

  function write(id: SessionId): void {
    const record = records.get(id);
    if (unwritten.delete(id) && record !== undefined) writer.put(id, record);
  }

  return {
    async load() {
      const { documents: kept, damaged } = await documents.all();
      for (const record of kept.values()) {
        records.set(record.session_id, record);
        claim(record, keysOf(record));
      }
      for (const { path, reason } of damaged) report({ doing: `reading the usage at ${path}`, error: new Error(reason) });
    },
    get: (id) => records.get(id) ?? null,
    of: (id) => records.get(id) ?? UsageRecord.parse({ session_id: id, updated_at: now() }),
    all: () => [...records.values()],
    takenFrom: (id) => (key) => (owners.get(key) ?? id) !== id,
    countedIn: (id) => (key) => owners.get(key) === id,
    take(record) {
      const before = records.get(record.session_id);
      records.set(record.session_id, { ...record, updated_at: now() });
      // A counted response starts in `recent`, or in `seen` if many were counted at once.
      claim(record, before?.seen === record.seen ? record.recent.map(({ key }) => key) : keysOf(record));
      unwritten.add(record.session_id);
    },
    write(id) {
      for (const each of id === undefined ? [...unwritten] : [id]) write(each);
    },
    async forget(id) {
      const record = records.get(id);
      for (const key of record === undefined ? [] : keysOf(record)) if (owners.get(key) === id) owners.delete(key);
      records.delete(id);
      unwritten.delete(id);
      await writer.drained();
      await documents.delete(id);
    },
    drained: writer.drained,
  };
}
