import { invalidState, isTerminal, parseSlug, type SessionRecord, TmpmError, timestampFromMs, tmuxNameFromName } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { choosingNames, requireFreeName } from "../launch/session-names.js";
import { recordChange } from "../record-change.js";
import { type AsSeen, requireRev } from "../require-rev.js";

/**
 * Returns a finished session to the stopped ones, from where it can be resumed, and unarchives an archived one. A finished one's name may
 * be in use by now; `name` gives it another. One whose workspace is in the trash is left to `undo`.
 * @throws INVALID_STATE, INVALID_ARGUMENT, NAME_TAKEN, and errors of the store
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
    if (!isTerminal(before) && !(await isArchived(ctx, id))) throw neverLeft(before);
    if (isTerminal(before) && (before.workspace?.trashed ?? null) !== null) throw inTrash(before);
    const record = await choosingNames(ctx, () => takeBack(ctx, { before, name: wanted ?? before.name }));
    await ctx.reached("reactivate.recorded");
    ctx.emit({ type: "session_reactivated", at: record.updated_at, session_id: id, reason: "asked" });
    return factsOf(ctx, record);
  });
}

async function isArchived(ctx: Pick<Context, "store">, id: string): Promise<boolean> {
  const entry = await ctx.store.get(id);
  return entry?.kind === "session" && entry.archived;
}

function neverLeft(record: SessionRecord): TmpmError {
  const way = record.state === "active" ? "" : `; \`tmpm resume ${record.name}\` restarts it`;
  return invalidState(record, { verb: "reactivate", allowed: ["decommissioned", "deleted"], hint: `It is not finished${way}.` });
}

function inTrash({ id, name, state }: SessionRecord): TmpmError {
  return new TmpmError("INVALID_STATE", `the workspace of session ${name} is in the trash`, {
    hint: `\`tmpm undo ${name}\` restores both; with --keep-target, merged work stays in its branch.`,
    details: { id, state },
  });
}

/** Unarchived first: a crash in between leaves a finished session in the listing. */
async function takeBack(ctx: Context, { before, name }: { before: SessionRecord; name: string }): Promise<SessionRecord> {
  const over = isTerminal(before);
  if (over || name !== before.name) await requireFreeName(ctx, name);
  await ctx.store.unarchive(before.id);
  await ctx.reached("reactivate.unarchived");
  const names = { name, tmux_name: name === before.name ? before.tmux_name : tmuxNameFromName(name) };
  if (over) return recordChange(ctx, { id: before.id, reason: "reactivated", change: () => ({ type: "reactivated" }), also: () => names });
  const updated_at = timestampFromMs(ctx.clock.now());
  return ctx.store.update(before.id, (current) => ({ ...current, ...names, ephemeral: false, updated_at }));
}
