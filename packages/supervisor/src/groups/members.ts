import { compareTimestamps, type SessionGroup, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";

export type GroupedRecord = SessionRecord & { readonly group: SessionGroup };

/** The sessions of all groups, also archived ones, in start order. */
export async function recordsInGroups(ctx: Pick<Context, "store">): Promise<readonly GroupedRecord[]> {
  const entries = await ctx.store.list({ archived: true });
  return entries
    .flatMap((entry) => (entry.kind === "session" && entry.record.group !== null ? [{ ...entry.record, group: entry.record.group }] : []))
    .toSorted((a, b) => compareTimestamps(a.created_at, b.created_at) || a.name.localeCompare(b.name, "en", { numeric: true }));
}

/** @throws GROUP_NOT_FOUND */
export async function membersOf(ctx: Pick<Context, "store">, name: string): Promise<readonly GroupedRecord[]> {
  const all = await recordsInGroups(ctx);
  const members = all.filter(({ group }) => group.name === name);
  if (members.length > 0) return members;
  const known = [...new Set(all.map(({ group }) => group.name))];
  throw new TmpmError("GROUP_NOT_FOUND", `there is no group ${JSON.stringify(name)}`, {
    hint: known.length === 0 ? "`tmpm fan` starts one." : `Known groups: ${known.slice(-10).join(", ")}.`,
    details: { group: name },
  });
}
