import type { SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "./context.js";
import { unusable } from "./find-session.js";
import { recallRunning } from "./recall-running.js";
import { knownRecord } from "./remembering-store.js";

/** `unknown`: its record cannot be read, and neither an earlier version nor a terminal identifies it. */
export type RecordLookup =
  | { readonly kind: "present"; readonly record: SessionRecord }
  | { readonly kind: "absent" }
  | { readonly kind: "unknown"; readonly error: TmpmError };

/** The record of a session by its whole id: unreadable records of other sessions do not matter. @throws what the store throws */
export async function sessionRecord(ctx: Context, id: string): Promise<RecordLookup> {
  const entry = await ctx.store.get(id);
  if (entry === null) return { kind: "absent" };
  if (entry.kind === "session") return { kind: "present", record: entry.record };
  const recalled = entry.last === undefined && (await recallRunning(ctx)) ? await ctx.store.get(id) : entry;
  const record = recalled === null ? null : knownRecord(recalled);
  return record === null ? { kind: "unknown", error: unusable(entry) } : { kind: "present", record };
}

/**
 * Whether the store has a record of a session. A permanently deleted session loses its other data before its record, so data without a
 * record belongs to a session of another layout of the store: it is kept for that.
 */
export async function hasRecord(ctx: Pick<Context, "store">, id: string): Promise<boolean> {
  return (await ctx.store.get(id)) !== null;
}
