import { type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { isExpected } from "./evict-siblings.js";

export interface Newcomer {
  readonly owner: string | null;
  readonly mode: string | null;
  /** It replaces its owner's idle sessions. */
  readonly evicts: boolean;
}

/** Refuses a session above the limit, for a caller that serialises creation. Only running or starting ones count. @throws SESSION_LIMIT */
export async function requireRoom(ctx: Context, newcomer: Newcomer): Promise<void> {
  const limit = ctx.settings.maxSessions;
  if (limit === 0) return;
  const entries = await ctx.store.list();
  const live = entries.flatMap((entry) => (entry.kind === "session" && isLive(entry.record) ? [entry.record] : []));
  const leaving = newcomer.evicts ? live.filter((record) => isLeaving(ctx, { record, newcomer })).length : 0;
  if (live.length - leaving < limit) return;
  throw new TmpmError("SESSION_LIMIT", `${live.length} sessions are running; the maximum is ${limit}`, {
    hint: "Stop one with `tmpm stop`, or raise TMPM_MAX_SESSIONS.",
    details: { live: live.length, limit },
  });
}

export function isLive({ state }: Pick<SessionRecord, "state">): boolean {
  return state === "active" || state === "provisioning";
}

/** As far as known without looking. */
function isLeaving(ctx: Context, { record, newcomer }: { readonly record: SessionRecord; readonly newcomer: Newcomer }): boolean {
  const { owner, mode } = newcomer;
  if (owner === null || record.owner !== owner || record.mode !== mode || record.state !== "active" || isExpected(ctx, record.id))
    return false;
  return ctx.observations.get(record.id)?.activity.state === "idle";
}
