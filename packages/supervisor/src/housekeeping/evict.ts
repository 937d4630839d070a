import { isTerminal, msFromTimestamp, type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { importedAt } from "../import/imported-record.js";
import { putAway } from "../operations/archive.js";
import { reported } from "../reported.js";
import { forgetForGood } from "./forget-for-good.js";

export interface EvictionResult {
  readonly archived: readonly string[];
  readonly deleted: readonly string[];
}

/**
 * Archives finished sessions after a while, and deletes them later; the time counts from when they were finished, or imported. One with a workspace of
 * ours stays, as does an unfinished one, however old.
 */
export async function evict(ctx: Context): Promise<EvictionResult> {
  const { archiveMs, deleteMs } = ctx.settings.retention;
  const entries = await ctx.store.list({ archived: true });
  const finished = entries.flatMap((entry) => (entry.kind === "session" && isOver(entry.record) ? [entry] : []));
  const olderThan = (ms: number) => finished.filter(({ record }) => ageOf(ctx, record) >= ms);
  const archived = olderThan(archiveMs).flatMap((entry) => (entry.archived ? [] : [entry.record.id]));
  const deleted = olderThan(archiveMs + deleteMs).flatMap((entry) => (entry.archived ? [entry.record.id] : []));
  return {
    archived: await eachDone(ctx, { ids: archived, doing: "archiving", act: (id) => putAway(ctx, { id, reason: "retention" }) }),
    deleted: await eachDone(ctx, { ids: deleted, doing: "deleting", act: (id) => takeAway(ctx, id) }),
  };
}

interface Each {
  readonly ids: readonly string[];
  readonly doing: string;
  readonly act: (id: string) => Promise<unknown>;
}

/** A failure affects one session, and is retried in the next round. */
async function eachDone(ctx: Pick<Context, "report">, { ids, doing, act }: Each): Promise<readonly string[]> {
  const done: string[] = [];
  for (const id of ids) {
    const task = async () => {
      await act(id);
      done.push(id);
    };
    await reported(ctx, { doing: `${doing} finished session ${id}`, task });
  }
  return done;
}

function isOver(record: SessionRecord): boolean {
  return isTerminal(record) && record.terminal_at !== null && record.workspace === null;
}

/** Time since the session finished or was imported, whichever is later, in ms; 0 for an unfinished one. */
function ageOf(ctx: Pick<Context, "clock">, record: SessionRecord): number {
  const { terminal_at } = record;
  if (terminal_at === null) return 0;
  const imported = importedAt(record);
  const since = Math.max(...[terminal_at, ...(imported === null ? [] : [imported])].map(msFromTimestamp));
  return ctx.clock.now() - since;
}

/** Checked again: a caller may have restored it meanwhile. */
function takeAway(ctx: Context, id: string): Promise<void> {
  return ctx.queue.run(id, async () => {
    const entry = await ctx.store.get(id);
    if (entry?.kind !== "session" || !isOver(entry.record) || !entry.archived) return;
    await forgetForGood(ctx, id);
    ctx.emit({
      type: "session_deleted",
      at: timestampFromMs(ctx.clock.now()),
      session_id: id,
      tmux_session_alive: null,
      reason: "retention",
    });
  });
}
