import { TmpmError } from "@tmpm/core";

export interface Paging {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Order<T> {
  /** Part of the cursor, which is bound to its order. */
  readonly name: string;
  readonly descending: boolean;
  readonly by: (item: T) => string | number;
  /** A stable tie-breaker. */
  readonly id: (item: T) => string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The `cursor` of the next page; null at the end. */
  readonly next: string | null;
}

type Place = readonly [value: string | number, id: string];

/**
 * One page of a list that may change meanwhile. A cursor is a position in the order, not a count, so items added or removed between pages shift
 * nothing: an item that keeps its position is returned exactly once. Without a limit the whole list is returned.
 * @throws INVALID_ARGUMENT for a cursor of another list
 */
export function paged<T>(all: readonly T[], { limit, cursor, order }: Paging & { readonly order: Order<T> }): Page<T> {
  const place = (item: T): Place => [order.by(item), order.id(item)];
  const ordered = all.map((item) => ({ item, at: place(item) })).sort((a, b) => compare(a.at, b.at, order.descending));
  const after = cursor === undefined ? null : readCursor(cursor, order.name);
  const rest = after === null ? ordered : ordered.filter(({ at }) => compare(at, after, order.descending) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ item }) => item),
    next: last === undefined || page.length === rest.length ? null : writeCursor(last.at, order.name),
  };
}

/** Equal values are always in ascending order of id. */
function compare([a, idA]: Place, [b, idB]: Place, descending: boolean): number {
  const order = a < b ? -1 : a > b ? 1 : 0;
  if (order !== 0) return descending ? -order : order;
  return idA < idB ? -1 : idA > idB ? 1 : 0;
}

function writeCursor(place: Place, order: string): string {
  return Buffer.from(JSON.stringify([order, ...place])).toString("base64url");
}

function readCursor(cursor: string, order: string): Place {
  const [name, value, id] = parse(cursor);
  const isPlace = name === order && (typeof value === "string" || typeof value === "number") && typeof id === "string";
  if (isPlace) return [value, id];
  throw new TmpmError("INVALID_ARGUMENT", "cursor: not the `next` of this list in this order", { details: { part: "query" } });
}

function parse(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
