import { visibleText } from "@tmpm/core";

/** Maximum number of text bytes in one answer. */
export const MOST_BYTES = 10_000;

/** A value in which control characters are visible, in texts at any depth. */
export function visible<T>(value: T): T {
  // The shape of the value is unchanged: only its texts are replaced.
  return shown(value) as T;
}

function shown(value: unknown): unknown {
  if (typeof value === "string") return visibleText(value);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner)]));
}

export interface Page {
  readonly text: string;
  /** Start of the next page; null after the last. */
  readonly next: string | null;
}

/** A part of a long text that stays below `most` bytes as JSON, from the cursor's position. */
export function page(text: string, { cursor, most }: { readonly cursor?: string | undefined; readonly most: number }): Page {
  const characters = Array.from(text);
  const start = Math.min(startOf(cursor), characters.length);
  let end = start;
  let bytes = 0;
  while (end < characters.length) {
    bytes += Buffer.byteLength(JSON.stringify(characters[end])) - 2;
    if (bytes > most) break;
    end += 1;
  }
  return { text: characters.slice(start, end).join(""), next: end < characters.length ? String(end) : null };
}

function startOf(cursor: string | undefined): number {
  return cursor !== undefined && /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
}

/** The first items that fit below `most` bytes as JSON; at least one. */
export function fitting<T>(items: readonly T[], most: number): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > most;
  });
  return end < 0 ? items : items.slice(0, Math.max(1, end));
}
