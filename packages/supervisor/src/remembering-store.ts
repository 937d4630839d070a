import type { SessionId, SessionRecord } from "@tmpm/core";
import type { Entry, ListFilter, SessionStore } from "@tmpm/store";

/** The last readable version of an unreadable record. */
export interface Unreadable {
  readonly record: SessionRecord;
  readonly reason: string;
}

/** A store that remembers the last readable version of each record. */
export interface RememberingStore extends SessionStore {
  /** Null for a readable record, and for an unknown one. As of the last read. */
  unreadable(id: SessionId): Unreadable | null;
  /** A session known despite its unreadable record: valid until that is readable. */
  recall(record: SessionRecord): void;
}

export function rememberingStore(store: SessionStore): RememberingStore {
  const last = new Map<SessionId, SessionRecord>();
  const reasons = new Map<SessionId, string>();
  /** Lists of readable records that are remembered: the store returns the same list until a record changes. */
  const readable = new WeakSet<readonly Entry[]>();

  function shown<E extends Entry | null>(entry: E): E | Entry {
    if (entry === null) return entry;
    if (entry.kind === "session") {
      remember(entry.record);
      return entry;
    }
    reasons.set(entry.id, entry.reason);
    const record = last.get(entry.id);
    return record === undefined ? entry : { ...entry, last: record };
  }

  function prune(entries: readonly Entry[]): void {
    const ids = new Set(entries.map((entry) => (entry.kind === "session" ? entry.record.id : entry.id)));
    for (const id of last.keys()) if (!ids.has(id)) forget(id);
  }

  async function list(filter?: ListFilter): Promise<readonly Entry[]> {
    const listed = await store.list(filter);
    if (readable.has(listed)) return listed;
    const entries = listed.map(shown);
    if (entries.every(({ kind }) => kind === "session")) readable.add(listed);
    if (filter?.archived === true && filter.project_id === undefined) prune(entries);
    return readable.has(listed) ? listed : entries;
  }

  function forget(id: SessionId): void {
    last.delete(id);
    reasons.delete(id);
  }

  function remember(record: SessionRecord): SessionRecord {
    last.set(record.id, record);
    reasons.delete(record.id);
    return record;
  }

  return {
    ...store,
    create: async (record) => remember(await store.create(record)),
    update: async (id, change) => remember(await store.update(id, change)),
    move: async (id, project) => remember(await store.move(id, project)),
    list,
    get: async (id) => shown(await store.get(id)),
    async find(text, filter) {
      const found = (await store.find(text, filter)).map(shown);
      const all = await list(filter);
      if (readable.has(all)) return found;
      const lost = all.filter((entry) => entry.kind !== "session" && isCalled(entry, text));
      return closest([...found, ...lost.filter((entry) => !found.some((other) => idOf(other) === idOf(entry)))], text);
    },
    findByIssue: async (project, issue) => shown(await store.findByIssue(project, issue)),
    async delete(id) {
      await store.delete(id);
      forget(id);
    },
    unreadable(id) {
      const record = last.get(id);
      const reason = reasons.get(id);
      return record === undefined || reason === undefined ? null : { record, reason };
    },
    recall: (record) => void last.set(record.id, record),
  };
}

/** An entry's current or last known record; null for an unknown one. */
export function knownRecord(entry: Entry): SessionRecord | null {
  return entry.kind === "session" ? entry.record : (entry.last ?? null);
}

function isCalled(entry: Entry, text: string): boolean {
  return text !== "" && namesOf(entry).some((name) => name.startsWith(text));
}

/** An exact name wins over a prefix. */
function closest(entries: readonly Entry[], text: string): readonly Entry[] {
  const exact = entries.filter((entry) => namesOf(entry).includes(text));
  return exact.length > 0 ? exact : entries;
}

function namesOf(entry: Entry): readonly string[] {
  const record = knownRecord(entry);
  return record === null ? [idOf(entry)] : [record.id, record.name, record.tmux_name];
}

function idOf(entry: Entry): string {
  return entry.kind === "session" ? entry.record.id : entry.id;
}
