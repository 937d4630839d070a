import { isTerminal, type SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { membersOf } from "../groups/members.js";
import { belongsTo } from "../owners/require-owner.js";
import { type FinishInput, type FinishOutcome, finish } from "./finish.js";
import { remove } from "./remove.js";
import { stop } from "./stop.js";

export interface PickInput extends FinishInput {
  /** Action for the others: `remove` (to the trash, the default), `stop`, or `keep`. */
  readonly rest?: "remove" | "stop" | "keep" | undefined;
  /** Removes also those with unsaved work. */
  readonly discard?: boolean | undefined;
  readonly client?: string | null | undefined;
}

export interface LeftOut {
  readonly id: string;
  readonly name: string;
  readonly outcome: "removed" | "stopped" | "kept";
  /** Why it was kept; null when it was not, or when `keep` was requested. */
  readonly why: string | null;
}

export interface Picked extends FinishOutcome {
  readonly rest: readonly LeftOut[];
}

/**
 * Finishes one session of a group, and then removes the others. A refused `finish` changes nothing, and no other is touched. Each can be
 * restored by `undo`. @throws INVALID_ARGUMENT for a session without a group, and the errors of `finish`
 */
export async function pick(ctx: Context, input: PickInput): Promise<Picked> {
  const { rest = "remove", discard = false, client = null, ...wanted } = input;
  const record = await findSession(ctx, input.session);
  const { group } = record;
  if (group === null) {
    throw new TmpmError("INVALID_ARGUMENT", `session ${record.name} is not in a group`, {
      hint: `\`tmpm finish ${record.name}\` finishes it alone.`,
      details: { field: "session" },
    });
  }
  const finished = await finish(ctx, { ...wanted, session: record.id });
  const others = (await membersOf(ctx, group.name)).filter((each) => each.id !== record.id && !isTerminal(each));
  if (finished.dry_run || rest === "keep")
    return { ...finished, rest: others.map((each) => leftOut(each, { outcome: "kept", why: null })) };
  const left: LeftOut[] = [];
  for (const other of others) left.push(belongsTo(other.owner, client) ? await end(ctx, { other, rest, discard }) : notOwned(other));
  const removed = left.filter(({ outcome }) => outcome === "removed").map(({ id }) => id);
  const at = timestampFromMs(ctx.clock.now());
  ctx.emit({ type: "session_picked", at, session_id: record.id, project_id: record.project_id, group: group.name, rest: removed });
  return { ...finished, rest: left };
}

interface Ending {
  readonly other: SessionRecord;
  readonly rest: "remove" | "stop";
  readonly discard: boolean;
}

/** One that cannot be ended stays, and does not affect the others. */
async function end(ctx: Context, { other, rest, discard }: Ending): Promise<LeftOut> {
  try {
    const { survivors } = rest === "stop" ? await stop(ctx, { session: other.id }) : await remove(ctx, { session: other.id, discard });
    if (survivors.length > 0) return leftOut(other, { outcome: "kept", why: `${survivors.length} of its processes did not end` });
    return leftOut(other, { outcome: rest === "stop" ? "stopped" : "removed", why: null });
  } catch (error) {
    if (!(error instanceof TmpmError)) throw error;
    return leftOut(other, { outcome: "kept", why: error.message });
  }
}

function notOwned(other: SessionRecord): LeftOut {
  return leftOut(other, { outcome: "kept", why: "it belongs to another client" });
}

function leftOut({ id, name }: SessionRecord, how: Pick<LeftOut, "outcome" | "why">): LeftOut {
  return { id, name, ...how };
}
