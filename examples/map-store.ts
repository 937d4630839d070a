/** A custom store over a Map. `map-store.test.ts` runs the contract suite on it. */
import { compareTimestamps, type ErrorCode, isTerminal, SessionRecord, TmpmError } from "@tmpm/core";
import type { Entry, SessionStore, StoreEvent } from "@tmpm/store";

type Session = Extract<Entry, { readonly kind: "session" }>;
const MAX_LENGTH = 1_000_000;

/** State that several stores may share, as processes share a folder. */
export interface Place {
  readonly sessions: Map<string, Session>;
  readonly listeners: Set<(event: StoreEvent) => void>;
}

export function mapStore({ sessions, listeners }: Place): SessionStore {
  const mine = new Set<(event: StoreEvent) => void>();
  let open = true;

  const refuse = (code: ErrorCode, message: string): never => {
    throw new TmpmError(code, message);
  };
  const all = () => (open ? sessions : refuse("SHUTTING_DOWN", "the store is closed"));
  const needed = (id: string) => all().get(id) ?? refuse("SESSION_NOT_FOUND", `no session ${id}`);
  const notify = (event: StoreEvent) => {
    for (const listener of listeners) queueMicrotask(() => listeners.has(listener) && listener(event));
  };

  /** Stores a frozen copy that has been parsed, so that callers cannot change it and every later read succeeds. */
  const keep = (record: SessionRecord, archived = false): SessionRecord => {
    const text = JSON.stringify(record);
    const read = SessionRecord.safeParse(JSON.parse(text));
    if (!read.success || text.length > MAX_LENGTH) return refuse("INVALID_ARGUMENT", `${record.id} cannot be read back`);
    const type = all().has(record.id) ? "updated" : "created";
    sessions.set(record.id, { kind: "session", record: frozen(read.data), archived });
    notify(archived ? { type: "look" } : { type, record: read.data });
    return read.data;
  };

  const store: SessionStore = {
    list: async ({ project_id, archived = false } = {}) =>
      [...all().values()]
        .filter((entry) => (archived || !entry.archived) && (project_id ?? entry.record.project_id) === entry.record.project_id)
        .sort(({ record: a }, { record: b }) => compareTimestamps(b.created_at, a.created_at) || (a.id < b.id ? -1 : 1)),
    get: async (id) => all().get(id) ?? null,
    find: async (text, filter) => {
      const entries = await store.list(filter);
      const named = (fits: (name: string) => boolean) => entries.filter((entry) => namesOf(entry).some(fits));
      const exact = named((name) => name === text);
      return exact.length > 0 || text === "" ? exact : named((name) => name.startsWith(text));
    },
    findByIssue: async (project_id, issue_id) => {
      const works = (entry: Entry) => entry.kind === "session" && entry.record.issue_id === issue_id && !isTerminal(entry.record);
      return (await store.list({ project_id })).find(works) ?? null;
    },
    create: async (record) =>
      all().has(record.id) ? refuse("NAME_TAKEN", `session ${record.id} already exists`) : keep({ ...record, rev: 1 }),
    update: async (id, change) => {
      const { record, archived } = needed(id);
      const next = change(record);
      if (next === record) return record;
      if (next.id !== id || next.project_id !== record.project_id) refuse("INVALID_ARGUMENT", "an update cannot move a record");
      return keep({ ...record, ...next, rev: record.rev + 1 }, archived);
    },
    move: async (id, project_id) => {
      const { record, archived } = needed(id);
      return record.project_id === project_id ? record : keep({ ...record, project_id }, archived);
    },
    archive: async (id) => void keep(needed(id).record, true),
    unarchive: async (id) => void keep(needed(id).record),
    delete: async (id) => {
      if (all().delete(id)) notify({ type: "removed", id });
    },
    watch: (listener) => {
      const hear = (event: StoreEvent) => listener(event);
      all();
      for (const set of [mine, listeners]) set.add(hear);
      queueMicrotask(() => listeners.has(hear) && hear({ type: "look" }));
      return { close: () => void listeners.delete(hear) };
    },
    health: () => ({ state: "ok" }),
    close: async () => {
      open = false;
      for (const hear of mine) listeners.delete(hear);
    },
  };
  return store;
}

function namesOf(entry: Entry): readonly string[] {
  return entry.kind === "session" ? [entry.record.id, entry.record.name, entry.record.tmux_name] : [];
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
