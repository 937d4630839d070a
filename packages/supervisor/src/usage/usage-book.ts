import { type SessionId, type Timestamp, UsageRecord } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";
import { latestWriter } from "../thoughts/latest-writer.js";

/** What all sessions have used. In memory; each session's counts and how far its files were read are written together, behind that. */
export interface UsageBook {
  /** Takes what an earlier run kept. */
  load(): Promise<void>;
  get(id: SessionId): UsageRecord | null;
  /** What is known of a session, or what there is to begin with. */
  of(id: SessionId): UsageRecord;
  all(): readonly UsageRecord[];
  /** Whether an answer is counted in another session than this one. */
  takenFrom(id: SessionId): (key: string) => boolean;
  take(record: UsageRecord): void;
  /** Begins to write what is not written yet, of one session or of all. */
  write(id?: SessionId): void;
  /** Forgets a session for good. */
  forget(id: SessionId): Promise<void>;
  /** Resolves when everything is written, or what is left has just failed. */
  drained(): Promise<void>;
}

export interface UsageBookOptions {
  readonly documents: DocumentStore<UsageRecord>;
  readonly now: () => Timestamp;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

export function usageBook({ documents, now, report }: UsageBookOptions): UsageBook {
  const records = new Map<SessionId, UsageRecord>();
  const owners = new Map<string, SessionId>();
  const unwritten = new Set<SessionId>();
  const writer = latestWriter<UsageRecord>({
    write: (id, record) => documents.put(id, record),
    failed: (error) => report({ doing: "keeping what a session has used", error }),
  });

  function claim({ session_id, seen }: UsageRecord, from: number): void {
    for (const key of seen.slice(from)) if (!owners.has(key)) owners.set(key, session_id);
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
        claim(record, 0);
      }
      for (const { path, reason } of damaged) report({ doing: `reading the usage at ${path}`, error: new Error(reason) });
    },
    get: (id) => records.get(id) ?? null,
    of: (id) => records.get(id) ?? UsageRecord.parse({ session_id: id, updated_at: now() }),
    all: () => [...records.values()],
    takenFrom: (id) => (key) => (owners.get(key) ?? id) !== id,
    take(record) {
      const before = records.get(record.session_id);
      records.set(record.session_id, { ...record, updated_at: now() });
      // What was seen is only ever added to, or loses its beginning.
      claim(record, record.seen.length === (before?.seen.length ?? 0) ? Math.max(0, record.seen.length - 64) : (before?.seen.length ?? 0));
      unwritten.add(record.session_id);
    },
    write(id) {
      for (const each of id === undefined ? [...unwritten] : [id]) write(each);
    },
    async forget(id) {
      for (const key of records.get(id)?.seen ?? []) if (owners.get(key) === id) owners.delete(key);
      records.delete(id);
      unwritten.delete(id);
      await writer.drained();
      await documents.delete(id);
    },
    drained: writer.drained,
  };
}
