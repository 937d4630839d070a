import { type Finished, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";

/** Whether the target of a finish is at the finish's commit, from which an undo moves it back. */
export async function isAtFinish(ctx: Pick<Context, "workspaces">, finished: Finished): Promise<boolean> {
  return finished.from !== finished.to && (await ctx.workspaces.targetState(finished)) === "moved";
}

/** The step of an undo that moves a finish's branch back, until its end. */
export const TARGET = "target";

/** Whether a previous undo was interrupted, so that the target and its checkout may be apart. */
export function isHalfway({ intent }: SessionRecord): boolean {
  return intent?.step === TARGET;
}

export interface TargetBack {
  readonly moved: boolean;
  /** A description of what could not be undone, or of the target's position. */
  readonly notes: readonly string[];
}

/** Moves the target back to its commit before a finish. @throws FINISH_REFUSED, GIT_FAILED; with `effect: "none"` nothing was moved */
export async function targetBack(ctx: Pick<Context, "reached" | "workspaces">, record: SessionRecord): Promise<TargetBack> {
  const { finished } = record;
  if (finished === null || finished.from === finished.to) return { moved: false, notes: [] };
  const back = { ...finished, from: finished.to, to: finished.from };
  const state = await ctx.workspaces.targetState(back);
  if (state === "before" || (state === "moved" && isHalfway(record))) {
    await ctx.workspaces.moveTarget({ ...back, why: `tmpm undo: ${record.name}` });
    await ctx.reached("undo.target_back");
    return { moved: true, notes: state === "before" ? [`${branchOf(finished)} is back at ${finished.from.slice(0, 12)}`] : [] };
  }
  if (state === "moved") return { moved: false, notes: [] };
  const range = `${finished.from.slice(0, 12)}..${finished.to.slice(0, 12)}`;
  return { moved: false, notes: [`${branchOf(finished)} has moved since, so it is kept; \`git revert\` reverts ${range} there`] };
}

interface Forward {
  readonly record: SessionRecord;
  readonly finished: Finished;
  /** Whether this undo has moved the target back; otherwise a previous one was interrupted. */
  readonly moved: boolean;
  readonly failure: TmpmError;
}

/**
 * Moves a target that an undo has moved back to the finish's commit again, because the rest of the undo failed. Returns that failure, or,
 * with `effect: "unknown"`, one that also has where the target is.
 */
export async function targetForward(ctx: Pick<Context, "workspaces">, { record, finished, moved, failure }: Forward): Promise<TmpmError> {
  const why = `tmpm undo: ${record.name}, reversed`;
  let state: Awaited<ReturnType<Context["workspaces"]["targetState"]>> | null = null;
  try {
    state = await ctx.workspaces.targetState(finished);
    if (state !== "before" && (state !== "moved" || moved)) return failure;
    // An interrupted move back may not have moved the checkout yet.
    if (state === "before" && !moved) await ctx.workspaces.moveTarget({ ...finished, from: finished.to, to: finished.from, why });
    await ctx.workspaces.moveTarget({ ...finished, why });
    return failure;
  } catch (error) {
    if (!(error instanceof TmpmError)) throw error;
    return new TmpmError(failure.code, `${failure.message}; ${whereabouts(finished, { moved, state })}: ${error.message}`, {
      effect: "unknown",
      hint: `The work is in ${finished.to.slice(0, 12)}. tmpm tries again; to keep the work there yourself: \`git merge ${finished.to.slice(0, 12)}\`.`,
      details: { ...failure.details, ref: finished.ref, from: finished.from, to: finished.to },
      cause: failure,
    });
  }
}

/** The position of a target that could not be moved to the finish's commit. A null state is unknown. */
function whereabouts(finished: Finished, { moved, state }: { readonly moved: boolean; readonly state: string | null }): string {
  const [branch, from, to] = [branchOf(finished), finished.from.slice(0, 12), finished.to.slice(0, 12)];
  if (moved || state === "before") return `${branch} was moved back to ${from} before, and could not be moved again`;
  return state === "moved" ? `${branch} is at ${to}, but its checkout may not be` : `${branch} may have been moved back to ${from} before`;
}

function branchOf({ ref }: Finished): string {
  return ref.replace(/^refs\/heads\//, "");
}
