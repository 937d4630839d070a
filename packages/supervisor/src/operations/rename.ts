import {
  hasCode,
  invalidState,
  isTmpmError,
  nameFromTmuxName,
  parseSlug,
  type SessionRecord,
  type SessionState,
  timestampFromMs,
  tmuxNameFromName,
} from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { choosingNames, nameTakenInTmux, requireFreeName, takenNames } from "../launch/session-names.js";
import { type AsSeen, requireRev } from "../require-rev.js";
import { requireSettled } from "../require-settled.js";

export interface Renamed {
  readonly session: SessionFacts;
  /** Why the tmux session was not renamed; null if it was. */
  readonly left_alone: string | null;
}

const FROM: readonly SessionState[] = ["active", "stopped", "errored"];

/**
 * Renames a session, and its tmux session if that is ours. The old name is free then.
 * @throws INVALID_ARGUMENT, INVALID_STATE, NAME_TAKEN with the old name kept, and errors of driver and store
 */
export async function rename(ctx: Context, input: AsSeen & { readonly session: string; readonly name: string }): Promise<Renamed> {
  const name = parseSlug(input.name);
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    const before = await findSession(ctx, id);
    requireRev(before, input);
    if (!FROM.includes(before.state)) throw invalidState(before, { verb: "rename", allowed: FROM });
    requireSettled(before, "rename");
    if (before.name === name) return { session: factsOf(ctx, before), left_alone: null };
    await reserve(ctx, { before, name });
    await ctx.reached("rename.intended");
    return renameTerminal(ctx, before);
  });
}

/** Continues an interrupted rename: the record already has the new name. The caller holds the session's queue. */
export async function finishRename(ctx: Context, record: SessionRecord): Promise<void> {
  await renameTerminal(ctx, { ...record, name: record.intent?.from ?? nameFromTmuxName(record.tmux_name) });
}

/** The record gets the new name first, so that no other session takes it; without a terminal, that is all. */
function reserve(ctx: Context, { before, name }: { before: SessionRecord; name: string }): Promise<SessionRecord> {
  return choosingNames(ctx, async () => {
    await requireFreeName(ctx, name);
    const at = timestampFromMs(ctx.clock.now());
    const intent = { op: "rename", step: "terminal", key: ctx.newId(), at, from: before.name } as const;
    return ctx.store.update(before.id, (current) => ({ ...current, name, intent, updated_at: at }));
  });
}

async function renameTerminal(ctx: Context, before: SessionRecord): Promise<Renamed> {
  const { name } = await findSession(ctx, before.id);
  const tmux_name = tmuxNameFromName(name);
  const left_alone = await inTmux(ctx, { before, tmux_name });
  await ctx.reached("rename.renamed");
  const at = timestampFromMs(ctx.clock.now());
  const keepsTmuxName = left_alone !== null;
  const after = await ctx.store.updateAnyway(before.id, (current) => ({
    ...current,
    tmux_name: keepsTmuxName ? current.tmux_name : tmux_name,
    intent: null,
    updated_at: at,
  }));
  await ctx.reached("rename.recorded");
  ctx.emit({
    type: "session_renamed",
    at,
    session_id: after.id,
    from: before.name,
    to: name,
    reason: keepsTmuxName ? "left_alone" : "asked",
  });
  return { session: factsOf(ctx, after), left_alone };
}

/** Why the tmux session keeps its name. A rename that certainly did not happen restores the record's old name. */
async function inTmux(ctx: Context, { before, tmux_name }: { before: SessionRecord; tmux_name: string }): Promise<string | null> {
  if (before.pane === null) return null;
  try {
    await ctx.host.rename(before.pane, tmux_name);
    return null;
  } catch (error) {
    if (hasCode(error, "PANE_GONE")) return null;
    if (hasCode(error, "PANE_FOREIGN")) return error.message;
    if (isTmpmError(error) && error.effect === "none") await takeBack(ctx, before);
    throw hasCode(error, "NAME_TAKEN") ? nameTakenInTmux({ name: tmux_name, tmux_name }) : error;
  }
}

/** If another session has taken the old name meanwhile, the record keeps the new one. */
function takeBack(ctx: Pick<Context, "clock" | "queues" | "store">, { id, name: old }: SessionRecord): Promise<SessionRecord> {
  return choosingNames(ctx, async () => {
    const isTaken = (await takenNames(ctx)).has(old);
    const updated_at = timestampFromMs(ctx.clock.now());
    return ctx.store.update(id, (current) => ({ ...current, name: isTaken ? current.name : old, intent: null, updated_at }));
  });
}
