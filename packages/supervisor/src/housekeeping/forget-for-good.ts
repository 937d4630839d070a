import type { Context } from "../context.js";

/** Removes a session's record and everything that is kept beside it. The record goes last, so that what a crash leaves is found again. */
export async function forgetForGood(ctx: Context, id: string): Promise<void> {
  await ctx.thoughts.forget(id);
  await ctx.launchEnvs.forget(id);
  await ctx.store.delete(id);
}
