import { type Finished, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";

/** Whether the target of a finish is at the finish's commit, from which an undo moves it back. */
export async function isAtFinish(ctx: Context, finished: Finished): Promise<boolean> {
  return finished.from !== finished.to && (await ctx.workspaces.targetState(finished)) === "moved";
}

/** Moves the target back to its commit before a finish; returns what could not be undone, in words. @throws FINISH_REFUSED, GIT_FAILED */
export async function targetBack(ctx: Context, record: SessionRecord): Promise<readonly string[]> {
  const { finished } = record;
  if (finished === null || finished.from === finished.to) return [];
  const back = { ...finished, from: finished.to, to: finished.from };
  const state = await ctx.workspaces.targetState(back);
  if (state === "moved" || state === "before") {
    await ctx.workspaces.moveTarget({ ...back, why: `tmpm undo: ${record.name}` });
    await ctx.reached("undo.target_back");
    return state === "before" ? [`${branchOf(finished)} is back at ${finished.from.slice(0, 12)}`] : [];
  }
  const range = `${finished.from.slice(0, 12)}..${finished.to.slice(0, 12)}`;
  return [`${branchOf(finished)} has moved since, so it is kept; \`git revert\` takes ${range} out of it`];
}

/**
 * Moves a target that an undo has moved back to the finish's commit again, because the rest of the undo failed. Returns that failure, or,
 * with `effect: "unknown"`, one that also has where the target is.
 */
export async function targetForward(
  ctx: Context,
  { record, finished, failure }: { readonly record: SessionRecord; readonly finished: Finished; readonly failure: TmpmError },
): Promise<TmpmError> {
  try {
    const state = await ctx.workspaces.targetState(finished);
    if (state !== "before" && state !== "moved") return failure;
    await ctx.workspaces.moveTarget({ ...finished, why: `tmpm undo: ${record.name}, taken back` });
    return failure;
  } catch (error) {
    if (!(error instanceof TmpmError)) throw error;
    const stays = `${branchOf(finished)} was moved back to ${finished.from.slice(0, 12)} before, and could not be moved again: ${error.message}`;
    return new TmpmError(failure.code, `${failure.message}; ${stays}`, {
      effect: "unknown",
      hint: `The work is in ${finished.to.slice(0, 12)}. tmpm tries again; to keep it there yourself: \`git merge ${finished.to.slice(0, 12)}\`.`,
      details: { ...failure.details, ref: finished.ref, from: finished.from, to: finished.to },
      cause: failure,
    });
  }
}

function branchOf({ ref }: Finished): string {
  return ref.replace(/^refs\/heads\//, "");
}
