import { hasCode, isTmpmError, type SessionRecord } from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { stopNow } from "../launch/stop-now.js";
import { readScreen } from "../observe/observe.js";
import { UNANSWERED } from "../unanswered.js";

/**
 * Stops the idle sessions of the same owner and mode: they can be resumed, and nothing of them is lost. One that is active, about to be, or
 * undetermined stays, and one that cannot be stopped: the new session runs in any case.
 */
export async function evictSiblings(ctx: Context, newcomer: SessionRecord): Promise<SiblingEviction> {
  const [evicted, notes]: [SessionRecord[], string[]] = [[], []];
  for (const { id, name } of await siblingsOf(ctx, newcomer)) {
    try {
      const stopped = await stopIfIdle(ctx, { id, newcomer });
      if (stopped !== null) evicted.push(stopped);
    } catch (error) {
      if (!isTmpmError(error)) throw error;
      notes.push(`session ${name} was not stopped: ${error.message}`);
    }
  }
  return { evicted, notes };
}

export interface SiblingEviction {
  /** Those that were stopped. */
  readonly evicted: readonly SessionRecord[];
  /** Why others were not, in words. */
  readonly notes: readonly string[];
}

/** Running sessions of the same owner in the same mode. Unowned sessions have no siblings. */
export async function siblingsOf(
  ctx: Pick<Context, "store">,
  { id, owner, mode }: Pick<SessionRecord, "id" | "owner" | "mode">,
): Promise<readonly SessionRecord[]> {
  if (owner === null) return [];
  const entries = await ctx.store.list();
  const records = entries.flatMap((entry) => (entry.kind === "session" ? [entry.record] : []));
  return records.filter((record) => record.state === "active" && record.id !== id && record.owner === owner && record.mode === mode);
}

/** Decides and acts while no other operation runs on the session and no prompt for it is accepted. */
function stopIfIdle(ctx: Context, of: { readonly id: string; readonly newcomer: SessionRecord }): Promise<SessionRecord | null> {
  const { id, newcomer } = of;
  return ctx.queue.run(id, () =>
    ctx.queues.accepting.run(id, async () => {
      const sibling = (await siblingsOf(ctx, newcomer)).find((record) => record.id === id);
      if (sibling === undefined || sibling.intent !== null || isExpected(ctx, id) || !(await isIdle(ctx, sibling))) return null;
      if (isExpected(ctx, id)) return null;
      const { session, survivors } = await stopNow(ctx, { id, graceMs: ctx.settings.graceMs });
      return survivors.length === 0 ? session.record : null;
    }),
  );
}

/** It has an open turn, a text under way, or a file being uploaded. */
export function isExpected(ctx: Pick<Context, "deliveries" | "turns" | "uploadRegistry">, id: string): boolean {
  return ctx.turns.lane(id).open.length > 0 || ctx.deliveries.of(id).length > 0 || ctx.uploadRegistry.underWay(id);
}

async function isIdle(ctx: Context, record: SessionRecord): Promise<boolean> {
  try {
    const { reading } = await readScreen(ctx, { record, adapter: agentOf(ctx, record) });
    return reading.state === "idle" && (reading.draft ?? "") === "";
  } catch (error) {
    if (hasCode(error, ...UNANSWERED, "RESOURCE_EXHAUSTED", "PANE_GONE", "PANE_FOREIGN", "PANE_DEAD")) return false;
    throw error;
  }
}
