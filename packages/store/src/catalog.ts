import { isDeepStrictEqual } from "node:util";
import { type Listeners, listeners } from "./listeners.js";
import { compareRank, type Listed, matches, sortListed } from "./lookup.js";
import type { Entry, ListFilter, StoreEvent } from "./store.js";

/** An entry under the key that it is kept by. */
export interface Kept extends Listed {
  readonly path: string;
  readonly id: string;
}

export interface Changes<T> {
  readonly puts: readonly T[];
  /** Paths. */
  readonly drops: readonly string[];
}

/** What a store knows, indexed by path and by id. Changes reach the listeners as events, after the change, in order. */
export interface Catalog<T extends Kept> {
  byPath(path: string): T | undefined;
  /** All with this id, the one that stands for it first. */
  byId(id: string): readonly T[];
  list(filter?: ListFilter): readonly Entry[];
  apply(changes: Changes<T>): void;
  readonly listeners: Listeners;
}

export function catalog<T extends Kept>(): Catalog<T> {
  const kept = new Map<string, T>();
  const pathsById = new Map<string, readonly string[]>();
  const told = listeners();
  let sorted: readonly T[] | null = null;

  function byId(id: string): readonly T[] {
    const found = (pathsById.get(id) ?? []).flatMap((path) => kept.get(path) ?? []);
    return found.length > 1 ? found.toSorted(compareRank) : found;
  }

  function put(item: T): StoreEvent | null {
    const before = kept.get(item.path);
    kept.set(item.path, item);
    if (before === undefined) pathsById.set(item.id, [...(pathsById.get(item.id) ?? []), item.path]);
    return eventOf(before?.entry, item.entry);
  }

  function drop(path: string): StoreEvent | null {
    const before = kept.get(path);
    if (before === undefined) return null;
    kept.delete(path);
    const rest = (pathsById.get(before.id) ?? []).filter((other) => other !== path);
    if (rest.length > 0) pathsById.set(before.id, rest);
    else pathsById.delete(before.id);
    return eventOf(before.entry, undefined);
  }

  return {
    byPath: (path) => kept.get(path),
    byId,
    list(filter) {
      sorted ??= sortListed(kept.values());
      return sorted.filter((item) => matches(item, filter)).map((item) => item.entry);
    },
    apply({ puts, drops }) {
      if (puts.length === 0 && drops.length === 0) return;
      sorted = null;
      const events = [...drops.map(drop), ...puts.map(put)].filter((event) => event !== null);
      for (const event of events) told.tell(event);
    },
    listeners: told,
  };
}

/** Events tell of the default listing; a change of anything outside it is only worth a look. */
function eventOf(before: Entry | undefined, after: Entry | undefined): StoreEvent | null {
  if (isDeepStrictEqual(before, after)) return null;
  const was = liveRecord(before);
  const is = liveRecord(after);
  if (is !== null) return { type: was === null ? "created" : "updated", record: is };
  return was === null ? { type: "look" } : { type: "removed", id: was.id };
}

function liveRecord(entry: Entry | undefined) {
  return entry?.kind === "session" && !entry.archived ? entry.record : null;
}
