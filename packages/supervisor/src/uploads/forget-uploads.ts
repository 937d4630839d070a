import { isTerminal, msFromTimestamp } from "@tmpm/core";
import type { Context } from "../context.js";
import { reported } from "../reported.js";
import { uploadPlace } from "./upload-place.js";

/** Removes a session's files permanently. Idempotent. */
export async function forgetUploads(ctx: Pick<Context, "store" | "uploadRegistry" | "uploads">, id: string): Promise<void> {
  const entry = await ctx.store.get(id);
  if (entry?.kind === "session") await ctx.uploads.remove(uploadPlace(entry.record));
  await ctx.uploadRegistry.forget(id);
}

/** Likewise for all removed sessions whose undo has expired. */
export async function forgetOldUploads(ctx: Context): Promise<void> {
  for (const id of await ctx.uploadRegistry.sessions()) {
    await reported(ctx, { doing: `deleting the files of session ${id}`, task: () => ctx.queue.run(id, () => forgetIfOld(ctx, id)) });
  }
}

async function forgetIfOld(ctx: Context, id: string): Promise<void> {
  const entry = await ctx.store.get(id);
  if (entry?.kind === "session" && isTerminal(entry.record) && isOld(ctx, entry.record.terminal_at)) await forgetUploads(ctx, id);
}

function isOld(ctx: Pick<Context, "clock" | "settings">, since: string | null): boolean {
  return since !== null && ctx.clock.now() - msFromTimestamp(since) >= ctx.settings.uploads.keptMs;
}
