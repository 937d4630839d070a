import { invalidState, isTerminal, type SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import { concludeNow } from "../conclude.js";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { recordChange } from "../record-change.js";
import { requireSettled } from "../require-settled.js";

export interface DeleteInput {
  readonly session: string;
  /** Remove the record for good; without it the session is kept as deleted, until retention takes it away. */
  readonly purge?: boolean | undefined;
}

export interface Deleted {
  /** As it was last. */
  readonly session: SessionFacts;
  readonly purged: boolean;
}

/**
 * Gives up a session that does not run, without touching its directory. Only `purge` removes its record, and never one whose workspace is ours.
 * @throws INVALID_STATE, WORKSPACE_REFUSED, and what the store throws
 */
export async function deleteSession(ctx: Context, input: DeleteInput): Promise<Deleted> {
  const purge = input.purge ?? false;
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    const before = await concludeNow(ctx, id);
    requireDeletable(before, purge);
    const record = isTerminal(before) ? before : await recordChange(ctx, { id, change: () => ({ type: "deleted" }), reason: "asked" });
    await ctx.reached("delete.recorded");
    if (purge) await ctx.store.delete(id);
    await ctx.reached("delete.purged");
    const reason = purge ? "purged" : "asked";
    ctx.emit({ type: "session_deleted", at: timestampFromMs(ctx.clock.now()), session_id: id, tmux_session_alive: false, reason });
    return { session: factsOf(ctx, record), purged: purge };
  });
}

function requireDeletable(record: SessionRecord, purge: boolean): void {
  const finished = isTerminal(record);
  if (record.state === "active" || record.state === "provisioning" || (finished && !purge)) {
    const allowed = purge ? (["stopped", "errored", "decommissioned", "deleted"] as const) : (["stopped", "errored"] as const);
    throw invalidState(record, { verb: purge ? "purge" : "delete", allowed });
  }
  requireSettled(record, "delete");
  if (!record.workspace_owned || record.workspace_path === null || finished) return;
  throw new TmpmError("WORKSPACE_REFUSED", `session ${record.name} has a workspace at ${record.workspace_path}, which would be forgotten`, {
    hint: `Remove the session with \`tmpm rm ${record.name}\` first.`,
    details: { id: record.id, path: record.workspace_path },
  });
}
