import type { Context } from "../context.js";
import { forgetCommits } from "../finish/forget-commits.js";
import { forgetUploads } from "../uploads/forget-uploads.js";

/** Removes a session's record and all data beside it. The record goes last, so that leftovers of a crash are found again. */
export async function forgetForGood(ctx: Context, id: string): Promise<void> {
  await ctx.thoughts.forget(id);
  await ctx.usage.registry.forget(id);
  await ctx.launchEnvs.forget(id);
  await forgetUploads(ctx, id);
  await ctx.comments.forget(id);
  await ctx.pullRequests.registry.forget(id);
  const entry = await ctx.store.get(id);
  if (entry?.kind === "session") {
    await ctx.turnTrees.forget(entry.record);
    await forgetCommits(ctx, entry.record);
  }
  await ctx.messages.forget(id);
  await ctx.turns.forget(id);
  await ctx.sends.forget(id);
  await ctx.hooks?.remove(id);
  ctx.observations.remove(id);
  await ctx.store.delete(id);
}
