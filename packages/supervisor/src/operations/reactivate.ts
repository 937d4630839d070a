import { invalidState, isTerminal, parseSlug, type SessionRecord, tmuxNameFromName } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { choosingNames, requireFreeName } from "../launch/session-names.js";
import { recordChange } from "../record-change.js";
import { type AsSeen, requireRev } from "../require-rev.js";

/**
 * Takes a finished session back among the stopped ones, from where it can be resumed. Its name may be in use by now; `name` gives it another.
 * @throws INVALID_STATE, INVALID_ARGUMENT, NAME_TAKEN, and what the store throws
 */
export async function reactivate(
  ctx: Context,
  input: AsSeen & { readonly session: string; readonly name?: string | undefined },
): Promise<SessionFacts> {
  const wanted = input.name === undefined ? null : parseSlug(input.name);
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    const before = await findSession(ctx, id);
    requireRev(before, input);
    if (!isTerminal(before)) throw invalidState(before, { verb: "reactivate", allowed: ["decommissioned", "deleted"] });
    const record = await choosingNames(ctx, () => takeBack(ctx, { before, name: wanted ?? before.name }));
    await ctx.reached("reactivate.recorded");
    ctx.emit({ type: "session_reactivated", at: record.updated_at, session_id: id, reason: "asked" });
    return factsOf(ctx, record);
  });
}

/** In the listing first: a crash in between leaves a finished session that is listed with the others. */
async function takeBack(ctx: Context, { before, name }: { before: SessionRecord; name: string }): Promise<SessionRecord> {
  await requireFreeName(ctx, name);
  await ctx.store.unarchive(before.id);
  await ctx.reached("reactivate.unarchived");
  const tmux_name = name === before.name ? before.tmux_name : tmuxNameFromName(name);
  return recordChange(ctx, {
    id: before.id,
    reason: "reactivated",
    change: () => ({ type: "reactivated" }),
    also: () => ({ name, tmux_name }),
  });
}
