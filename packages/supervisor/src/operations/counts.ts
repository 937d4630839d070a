import { isTerminal, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { isLive } from "../owners/require-room.js";

/** Numbers of unfinished sessions, and of running ones among them. */
export interface Count {
  readonly total: number;
  readonly live: number;
}

export interface Counts extends Count {
  /** Maximum number of running sessions; null without a limit. */
  readonly limit: number | null;
  readonly agents: readonly (Count & { readonly agent: string })[];
  readonly projects: readonly (Count & { readonly project_id: string })[];
  /** Null: unowned sessions. */
  readonly owners: readonly (Count & { readonly owner: string | null })[];
}

/** Numbers of sessions by agent, project and owner, in this order. Finished ones do not count. */
export async function counts(ctx: Pick<Context, "settings" | "store">): Promise<Counts> {
  const entries = await ctx.store.list({ archived: true });
  const records = entries.flatMap((entry) => (entry.kind === "session" && !isTerminal(entry.record) ? [entry.record] : []));
  const { maxSessions } = ctx.settings;
  return {
    ...countOf(records),
    limit: maxSessions === 0 ? null : maxSessions,
    agents: grouped(records, ({ agent }) => agent).map(([agent, count]) => ({ agent, ...count })),
    projects: grouped(records, ({ project_id }) => project_id).map(([project_id, count]) => ({ project_id, ...count })),
    owners: grouped(records, ({ owner }) => owner).map(([owner, count]) => ({ owner, ...count })),
  };
}

function grouped<K extends string | null>(records: readonly SessionRecord[], keyOf: (record: SessionRecord) => K): readonly [K, Count][] {
  const groups = new Map<K, SessionRecord[]>();
  for (const record of records) {
    const key = keyOf(record);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return [...groups].sort(([a], [b]) => (a ?? "").localeCompare(b ?? "", "en")).map(([key, group]) => [key, countOf(group)]);
}

function countOf(records: readonly SessionRecord[]): Count {
  return { total: records.length, live: records.filter(isLive).length };
}
