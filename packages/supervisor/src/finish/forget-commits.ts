import { hasCode, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";

/** Drops the commits kept for the undo of a finish. A repository that is gone has none. */
export async function forgetCommits(ctx: Pick<Context, "workspaces">, { id, finished }: SessionRecord): Promise<void> {
  if (finished === null) return;
  try {
    await ctx.workspaces.dropCommits({ repository: finished.repository, sessionId: id });
  } catch (error) {
    if (!hasCode(error, "GIT_FAILED", "PREREQUISITE_MISSING")) throw error;
  }
}
