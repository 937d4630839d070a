export * from "./documents/memory-documents.js";
export * from "./events/memory-journal.js";
export * from "./sends/memory-sends.js";
export * from "./turns/memory-turns.js";

import type { SessionRecord, TmpmError } from "@tmpm/core";
import { type Catalog, type CatalogEntry, catalog } from "./sessions/catalog.js";
import { entryId, findIn, findIssueIn } from "./sessions/lookup.js";
import { encodeRecord } from "./sessions/record-document.js";
import { closed, nextRecord, notFound, refuseEntry, storableRecord, taken } from "./sessions/record-rules.js";
import type { Entry, Health, SessionStore, Subscription } from "./store.js";

export type StoreMethod = Exclude<keyof SessionStore, "watch" | "health" | "close">;

/** A store in memory, for tests: it passes the same contract and fails on demand. */
export interface MemoryStore extends SessionStore {
  /** The next call of `method` has no effect and rejects with `error`. */
  failNext(method: StoreMethod, error: Error): void;
  /** From now on writes reject with `error` and reads return the last known records, as after a failed reload; null ends that. */
  degrade(error: TmpmError | null): void;
  /** Adds or replaces an entry of any kind, like another process. */
  put(entry: Entry): void;
  /** Another store on the same records, as opened by another process. */
  another(): MemoryStore;
}

export interface MemoryStoreOptions {
  readonly entries?: readonly Entry[];
}

export function memoryStore({ entries = [] }: MemoryStoreOptions = {}): MemoryStore {
  const known = catalog<CatalogEntry>();
  for (const entry of entries) put(known, entry);
  return storeOver(known);
}

function storeOver(known: Catalog<CatalogEntry>): MemoryStore {
  const switches = faults();
  const subscriptions = new Set<Subscription>();
  return {
    put: (entry) => put(known, entry),
    another: () => storeOver(known),
    failNext: switches.failNext,
    degrade: switches.degrade,
    ...reads(known, switches),
    ...writes(known, switches),
    watch(listener) {
      switches.requireOpen();
      const subscription = known.listeners.add(listener, { type: "look" });
      subscriptions.add(subscription);
      return subscription;
    },
    health: switches.health,
    async close() {
      switches.close();
      for (const subscription of subscriptions) subscription.close();
    },
  };
}

type Faults = ReturnType<typeof faults>;

/** Failures enabled by a test; each call checks them first. */
function faults() {
  const failures: { readonly method: StoreMethod; readonly error: Error }[] = [];
  let health: Health = { state: "ok" };
  let open = true;

  function requireOpen(): void {
    if (!open) throw closed();
  }

  function read(method: StoreMethod): void {
    requireOpen();
    const index = failures.findIndex((failure) => failure.method === method);
    const [failure] = index < 0 ? [] : failures.splice(index, 1);
    if (failure !== undefined) throw failure.error;
  }

  return {
    requireOpen,
    read,
    write(method: StoreMethod): void {
      read(method);
      if (health.state === "degraded") throw health.error;
    },
    failNext(method: StoreMethod, error: Error): void {
      failures.push({ method, error });
    },
    degrade(error: TmpmError | null): void {
      health = error === null ? { state: "ok" } : { state: "degraded", error };
    },
    health: () => health,
    close(): void {
      open = false;
    },
  };
}

function reads(known: Catalog<CatalogEntry>, { read }: Faults): Pick<SessionStore, "list" | "get" | "find" | "findByIssue"> {
  return {
    async list(filter) {
      read("list");
      return known.list(filter);
    },
    async get(id) {
      read("get");
      return known.byId(id)[0]?.entry ?? null;
    },
    async find(text, filter) {
      read("find");
      return findIn(known.list(filter), text);
    },
    async findByIssue(project_id, issue_id) {
      read("findByIssue");
      return findIssueIn(known.list({ project_id }), { project_id, issue_id });
    },
  };
}

function writes(
  known: Catalog<CatalogEntry>,
  { write }: Faults,
): Pick<SessionStore, "create" | "update" | "move" | "archive" | "unarchive" | "delete"> {
  return {
    async create(record) {
      write("create");
      const stored = asStored({ ...record, rev: 1 });
      if (known.byId(stored.id).length > 0) throw taken(stored.id);
      put(known, { kind: "session", record: stored, archived: false });
      return stored;
    },
    async update(id, change) {
      write("update");
      const entry = sessionOf(known, id);
      if (entry === null) throw notFound(id);
      const changed = change(entry.record);
      if (changed === entry.record) return entry.record;
      const stored = asStored({ ...entry.record, ...nextRecord(entry.record, changed) });
      put(known, { ...entry, record: stored });
      return stored;
    },
    async move(id, project_id) {
      write("move");
      const entry = sessionOf(known, id);
      if (entry === null) throw notFound(id);
      if (entry.record.project_id === project_id) return entry.record;
      const stored = asStored({ ...entry.record, project_id });
      put(known, { ...entry, record: stored });
      return stored;
    },
    async archive(id) {
      write("archive");
      const entry = sessionOf(known, id);
      if (entry === null) throw notFound(id);
      put(known, { ...entry, archived: true });
    },
    async unarchive(id) {
      write("unarchive");
      const entry = sessionOf(known, id);
      if (entry === null) throw notFound(id);
      put(known, { ...entry, archived: false });
    },
    async delete(id) {
      write("delete");
      if (sessionOf(known, id) !== null) known.apply({ puts: [], drops: [id] });
    },
  };
}

/** @throws RECORD_DAMAGED, RECORD_UNSUPPORTED for an entry that cannot be written */
function sessionOf(known: Catalog<CatalogEntry>, id: string): Extract<Entry, { readonly kind: "session" }> | null {
  const entry = known.byId(id)[0]?.entry ?? null;
  if (entry !== null && entry.kind !== "session") throw refuseEntry(entry);
  return entry;
}

function put(known: Catalog<CatalogEntry>, entry: Entry): void {
  const id = entryId(entry);
  known.apply({ puts: [{ path: id, id, archived: entry.kind === "session" && entry.archived, entry }], drops: [] });
}

/** The record as read back from a file: a frozen copy. @throws INVALID_ARGUMENT */
function asStored(record: SessionRecord): SessionRecord {
  return storableRecord(encodeRecord(record), record);
}
