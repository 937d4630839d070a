import { invalidState, isTerminal, PaneIdentity, type SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { forgetForGood } from "../housekeeping/forget-for-good.js";
import { concludeNow } from "../observe/conclude.js";
import { recordChange } from "../record-change.js";
import { type AsSeen, requireRev } from "../require-rev.js";
import { requireSettled } from "../require-settled.js";

export interface DeleteInput extends AsSeen {
  readonly session: string;
  /** Remove the record permanently; by default the session is kept as deleted, until retention removes it. */
  readonly purge?: boolean | undefined;
}

export interface Deleted {
  /** Its last version. */
  readonly session: SessionFacts;
  readonly purged: boolean;
}

/**
 * Deletes a session that does not run, without touching its directory. Only `purge` removes its record, and never one whose workspace is
 * ours.
 * @throws INVALID_STATE, WORKSPACE_REFUSED, and errors of the store
 */
export async function deleteSession(ctx: Context, input: DeleteInput): Promise<Deleted> {
  const purge = input.purge ?? false;
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    const before = await concludeNow(ctx, id);
    requireRev(before, input);
    requireDeletable(before, purge);
    const record = isTerminal(before) ? before : await recordChange(ctx, { id, change: () => ({ type: "deleted" }), reason: "asked" });
    await ctx.reached("delete.recorded");
    if (purge) await forgetForGood(ctx, id);
    await ctx.reached("delete.purged");
    const tmux_session_alive = await livesOn(ctx, record);
    const reason = purge ? "purged" : "asked";
    ctx.emit({ type: "session_deleted", at: timestampFromMs(ctx.clock.now()), session_id: id, tmux_session_alive, reason });
    return { session: factsOf(ctx, record), purged: purge };
  });
}

/** Whether a released terminal is still running; null when unknown. A terminal that was not released has ended before. */
async function livesOn(ctx: Pick<Context, "host">, { let_go }: SessionRecord): Promise<boolean | null> {
  const pane = PaneIdentity.safeParse(let_go);
  if (!pane.success) return false;
  const answer = await ctx.host.find(pane.data);
  return answer.kind === "unknown" ? null : answer.kind === "present" && answer.value.exit === null;
}

function requireDeletable(record: SessionRecord, purge: boolean): void {
  const finished = isTerminal(record);
  if (record.state === "active" || record.state === "provisioning" || (finished && !purge)) {
    const allowed = purge ? (["stopped", "errored", "decommissioned", "deleted"] as const) : (["stopped", "errored"] as const);
    throw invalidState(record, { verb: purge ? "purge" : "delete", allowed });
  }
  requireSettled(record, "delete");
  const path = ownWorkspace(record);
  if (path === null) return;
  throw new TmpmError("WORKSPACE_REFUSED", `session ${record.name} has a workspace at ${path}, which would be orphaned`, {
    hint: `Remove the session with \`tmpm rm ${record.name}\` first.`,
    details: { id: record.id, path },
  });
}

/** An existing directory that we made; one in the trash is handled separately. */
function ownWorkspace({ workspace, workspace_owned, workspace_path }: SessionRecord): string | null {
  if (workspace !== null) return workspace.trashed === null ? workspace.path : null;
  return workspace_owned ? workspace_path : null;
}
