import { isDeepStrictEqual } from "node:util";
import { type ListenerSet, listenerSet } from "@tmpm/core";
import type { Entry, ListFilter, StoreEvent } from "../store.js";
import { compareRank, type Listed, matches, sortListed } from "./lookup.js";

/** An entry with its key. */
export interface CatalogEntry extends Listed {
  readonly path: string;
  readonly id: string;
}

export interface Changes<T> {
  readonly puts: readonly T[];
  /** Paths. */
  readonly drops: readonly string[];
}

/** The known entries, indexed by path and by id. Listeners get changes as events, after the change, in order. */
export interface Catalog<T extends CatalogEntry> {
  byPath(path: string): T | undefined;
  /** All with this id, the preferred one first. */
  byId(id: string): readonly T[];
  /** The same list until an entry in it changes. */
  list(filter?: ListFilter): readonly Entry[];
  apply(changes: Changes<T>): void;
  readonly listeners: ListenerSet<StoreEvent>;
}

export function catalog<T extends CatalogEntry>(): Catalog<T> {
  const kept = new Map<string, T>();
  const pathsById = new Map<string, string | readonly string[]>();
  const listeners = listenerSet<StoreEvent>({ later: true });
  const lists = new Map<string, readonly Entry[]>();
  let sorted: readonly T[] = [];
  let touched = new Set<string>();

  function byId(id: string): readonly T[] {
    const found = pathsOf(id).flatMap((path) => kept.get(path) ?? []);
    return found.length > 1 ? found.toSorted(compareRank) : found;
  }

  function pathsOf(id: string): readonly string[] {
    const paths = pathsById.get(id) ?? [];
    return typeof paths === "string" ? [paths] : paths;
  }

  /** `from` is its previous place. */
  function put(item: T, from?: Entry): StoreEvent | null {
    const before = kept.get(item.path);
    kept.set(item.path, item);
    if (before === undefined) pathsById.set(item.id, pathsById.has(item.id) ? [...pathsOf(item.id), item.path] : item.path);
    if (before?.entry === item.entry && before.archived === item.archived) return null;
    touched.add(item.path);
    return eventOf(before?.entry ?? from, item.entry);
  }

  /** An entry added elsewhere at the same time was moved, not removed. */
  function move({ puts, drops }: Changes<T>): readonly (StoreEvent | null)[] {
    const ids = new Set(puts.map(({ id }) => id));
    const from = new Map<string, Entry>();
    const removed = drops.map((path) => {
      const before = kept.get(path);
      const event = drop(path);
      if (before === undefined || !ids.has(before.id)) return event;
      from.set(before.id, before.entry);
      return null;
    });
    return [...removed, ...puts.map((item) => put(item, from.get(item.id)))];
  }

  function drop(path: string): StoreEvent | null {
    const before = kept.get(path);
    if (before === undefined) return null;
    kept.delete(path);
    touched.add(path);
    const rest = pathsOf(before.id).filter((other) => other !== path);
    if (rest.length > 0) pathsById.set(before.id, rest);
    else pathsById.delete(before.id);
    return eventOf(before.entry, undefined);
  }

  /** Unchanged entries stay in order, and are not sorted again. */
  function sort(): void {
    if (touched.size === 0) return;
    const rest = sorted.filter(({ path }) => !touched.has(path));
    sorted = sortListed([...rest, ...[...touched].flatMap((path) => kept.get(path) ?? [])]);
    touched = new Set();
    lists.clear();
  }

  return {
    byPath: (path) => kept.get(path),
    byId,
    list(filter) {
      sort();
      const key = JSON.stringify([filter?.archived === true, filter?.project_id ?? null]);
      const list = lists.get(key) ?? Object.freeze(sorted.filter((item) => matches(item, filter)).map((item) => item.entry));
      if (lists.size < LISTS_KEPT) lists.set(key, list);
      return list;
    },
    apply({ puts, drops }) {
      const events = (drops.length === 0 ? puts.map((item) => put(item)) : move({ puts, drops })).filter((event) => event !== null);
      for (const event of events) listeners.notify(event);
    },
    listeners,
  };
}

/** Maximum number of list queries cached until something changes. */
const LISTS_KEPT = 100;

/** Events report the default listing; any other change only causes a look. */
function eventOf(before: Entry | undefined, after: Entry | undefined): StoreEvent | null {
  if (before !== undefined && isDeepStrictEqual(before, after)) return null;
  const was = liveRecord(before);
  const is = liveRecord(after);
  if (is !== null) return { type: was === null ? "created" : "updated", record: is };
  return was === null ? { type: "look" } : { type: "removed", id: was.id };
}

function liveRecord(entry: Entry | undefined) {
  return entry?.kind === "session" && !entry.archived ? entry.record : null;
}
