import type { SessionRecord, TmpmError } from "@tmpm/core";
import { catalog, type Kept } from "./catalog.js";
import { entryId, findIn, findIssueIn } from "./lookup.js";
import { decodeDocument, encodeRecord } from "./record-document.js";
import { closed, nextRecord, notFound, refuseEntry, taken, writableRecord } from "./record-rules.js";
import type { Entry, Health, ListFilter, SessionStore } from "./store.js";

export type StoreMethod = Exclude<keyof SessionStore, "watch" | "health" | "close">;

/** A store that keeps its records in this process, for tests: it obeys the same contract and does what it is told. */
export interface MemoryStore extends SessionStore {
  /** The next call of `method` has no effect and rejects with `error`. */
  failNext(method: StoreMethod, error: Error): void;
  /** From now on writes reject with `error` and reads serve what is known, as after a failed reload; null ends that. */
  degrade(error: TmpmError | null): void;
  /** Adds or replaces an entry of any kind, as another process would. */
  put(entry: Entry): void;
}

export interface MemoryStoreOptions {
  readonly entries?: readonly Entry[];
}

interface Cell extends Kept {
  readonly entry: Entry;
}

export function memoryStore({ entries = [] }: MemoryStoreOptions = {}): MemoryStore {
  const cells = catalog<Cell>();
  const failures: { readonly method: StoreMethod; readonly error: Error }[] = [];
  let health: Health = { state: "ok" };
  let open = true;

  function begin(method: StoreMethod): void {
    if (!open) throw closed();
    const index = failures.findIndex((failure) => failure.method === method);
    const [failure] = index < 0 ? [] : failures.splice(index, 1);
    if (failure !== undefined) throw failure.error;
  }

  function beginWrite(method: StoreMethod): void {
    begin(method);
    if (health.state === "degraded") throw health.error;
  }

  function list(filter?: ListFilter): readonly Entry[] {
    return cells.list(filter);
  }

  function known(id: string): Entry | null {
    return cells.byId(id)[0]?.entry ?? null;
  }

  /** @throws for an entry that cannot be written */
  function session(id: string): Extract<Entry, { readonly kind: "session" }> | null {
    const entry = known(id);
    if (entry !== null && entry.kind !== "session") throw refuseEntry(entry);
    return entry;
  }

  function put(entry: Entry): void {
    const id = entryId(entry);
    cells.apply({ puts: [{ path: id, id, archived: entry.kind === "session" && entry.archived, entry }], drops: [] });
  }

  for (const entry of entries) put(entry);
  return {
    put,
    failNext(method, error) {
      failures.push({ method, error });
    },
    degrade(error) {
      health = error === null ? { state: "ok" } : { state: "degraded", error };
    },
    async list(filter) {
      begin("list");
      return list(filter);
    },
    async get(id) {
      begin("get");
      return known(id);
    },
    async find(text, filter) {
      begin("find");
      return findIn(list(filter), text);
    },
    async findByIssue(project_id, issue_id) {
      begin("findByIssue");
      return findIssueIn(list({ project_id }), { project_id, issue_id });
    },
    async create(record) {
      beginWrite("create");
      const stored = asStored({ ...record, rev: 1 });
      if (known(stored.id) !== null) throw taken(stored.id);
      put({ kind: "session", record: stored, archived: false });
      return stored;
    },
    async update(id, change) {
      beginWrite("update");
      const entry = session(id);
      if (entry === null) throw notFound(id);
      const changed = change(entry.record);
      if (changed === entry.record) return entry.record;
      const stored = asStored({ ...entry.record, ...nextRecord(entry.record, changed) });
      put({ ...entry, record: stored });
      return stored;
    },
    async archive(id) {
      beginWrite("archive");
      const entry = session(id);
      if (entry === null) throw notFound(id);
      put({ ...entry, archived: true });
    },
    async delete(id) {
      beginWrite("delete");
      if (session(id) !== null) cells.apply({ puts: [], drops: [id] });
    },
    watch: (listener) => {
      if (!open) throw closed();
      return cells.listeners.add(listener);
    },
    health: () => health,
    async close() {
      open = false;
      cells.listeners.clear();
    },
  };
}

/** The record as a file would give it back: a copy that nobody else can change. @throws INVALID_ARGUMENT */
function asStored(record: SessionRecord): SessionRecord {
  return writableRecord(decodeDocument(encodeRecord(record), record), record.id);
}
