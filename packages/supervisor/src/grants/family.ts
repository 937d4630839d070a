import type { SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";

type Kin = Pick<SessionRecord, "id" | "spawned_by" | "lineage" | "state">;

/** Every readable record, also archived ones. */
export async function allRecords(ctx: Pick<Context, "store">): Promise<readonly SessionRecord[]> {
  const entries = await ctx.store.list({ archived: true });
  return entries.flatMap((entry) => (entry.kind === "session" ? [entry.record] : []));
}

/** The sessions that a session started with its own token. */
export function childrenOf<R extends Kin>(records: readonly R[], id: string): readonly R[] {
  return records.filter((record) => record.lineage !== null && record.spawned_by === id);
}

/** Whether `id` is a descendant of `ancestor`. A cycle of records ends the search. */
export function descends(records: readonly Kin[], { id, ancestor }: { readonly id: string; readonly ancestor: string }): boolean {
  const parents = new Map(records.map((record) => [record.id, record.lineage === null ? null : record.spawned_by]));
  const seen = new Set<string>();
  for (let current = parents.get(id) ?? null; current !== null && !seen.has(current); current = parents.get(current) ?? null) {
    if (current === ancestor) return true;
    seen.add(current);
  }
  return false;
}

/** The parent of a session, the parent of that, and so on. */
export function ancestorsOf<R extends Kin>(records: readonly R[], { id, lineage, spawned_by }: Omit<Kin, "state">): readonly R[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const found: R[] = [];
  for (let next = lineage === null ? null : spawned_by; next !== null && next !== id; ) {
    const record = byId.get(next);
    if (record === undefined || found.includes(record)) break;
    found.push(record);
    next = record.lineage === null ? null : record.spawned_by;
  }
  return found;
}

/** The ids of a session and its descendants. */
export function withDescendants(records: readonly Kin[], id: string): ReadonlySet<string> {
  const tree = new Set([id]);
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const { id: child, lineage, spawned_by } of records)
      if (lineage !== null && spawned_by !== null && tree.has(spawned_by)) tree.add(child);
  }
  return tree;
}

/** The session that names a lineage: its first, started by a user. */
export function rootOf({ id, lineage }: Pick<SessionRecord, "id" | "lineage">): string {
  return lineage?.root ?? id;
}

/** The root's descendants. */
export function lineageOf<R extends Kin>(records: readonly R[], root: string): readonly R[] {
  return records.filter((record) => record.lineage?.root === root);
}
