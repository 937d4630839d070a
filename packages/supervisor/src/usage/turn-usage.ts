import {
  type Cost,
  hasCode,
  msFromTimestamp,
  NO_TOKENS,
  type SessionRecord,
  sumOfTokens,
  type TokenCounts,
  type Turn,
  timestampFromMs,
  tokensBeyond,
  type UsageRecord,
  usedTokens,
} from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { reportBudgets } from "./budget.js";

/** Counts a turn's usage, emits an event, and writes the session's totals into its record. */
export async function reportTurnUsage(ctx: Context, turn: Turn): Promise<void> {
  try {
    await ctx.usage.loaded();
    const record = await findSession(ctx, turn.session_id);
    for (let more = true; more; ) more = await ctx.usage.reader.read(record, { seek: true });
    await emitUsage(ctx, { record, turn });
  } catch (error) {
    if (!hasCode(error, "SESSION_NOT_FOUND", "RECORD_DAMAGED", "RECORD_UNSUPPORTED"))
      ctx.report({ doing: `counting what turn ${turn.id} used`, error });
  }
}

async function emitUsage(ctx: Context, { record, turn }: { readonly record: SessionRecord; readonly turn: Turn }): Promise<void> {
  const usage = withTurn(ctx.usage.registry.of(record.id), turn);
  const total = usedTokens(usage);
  const used = tokensBeyond(total, usage.told ?? NO_TOKENS);
  ctx.usage.registry.take({ ...usage, told: total });
  ctx.usage.registry.write(record.id);
  await reportBudgets(ctx, record);
  if (sumOfTokens(used) === 0) return;
  const { id: session_id, project_id } = record;
  const at = timestampFromMs(ctx.clock.now());
  ctx.emit({ type: "usage_counted", at, session_id, project_id, turn_id: turn.id, used, total, context: usage.context });
  await ctx.store.updateAnyway(session_id, (current) => ({ ...current, cost: costOf(total, current) }));
}

function withTurn(usage: UsageRecord, { id, started_at, ended_at }: Turn): UsageRecord {
  if (usage.last_turn === id || started_at === null || ended_at === null) return usage;
  const ranMs = Math.max(0, msFromTimestamp(ended_at) - msFromTimestamp(started_at));
  return { ...usage, last_turn: id, turns: usage.turns + 1, worked_ms: usage.worked_ms + ranMs };
}

/** Prices are not stored: they change, and costs are computed from a table on request. */
function costOf({ input, output, cache_read, cache_write }: TokenCounts, { cost }: SessionRecord): Cost {
  return {
    ...cost,
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: cache_read,
    cache_creation_tokens: cache_write,
    cost_usd: null,
  };
}
