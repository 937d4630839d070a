import { canTransition, invalidState } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf } from "../facts.js";
import { findSession } from "../find-session.js";
import { recordEvent } from "../record-change.js";
import { type Stopped, stopNow } from "./stop.js";

/** Stops the session and takes it out of the listing; its record is kept, its directory is not touched. Refused while a process of it survives. */
export async function remove(ctx: Context, input: { readonly session: string }): Promise<Stopped> {
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    const record = await findSession(ctx, id);
    if (!canTransition(record, "decommissioned"))
      throw invalidState(record, { verb: "remove", allowed: ["active", "stopped", "errored", "provisioning"] });
    const stopped = await stopNow(ctx, { id, graceMs: ctx.settings.graceMs });
    await ctx.reached("remove.stopped");
    if (stopped.survivors.length > 0) return stopped;
    const removed = await recordEvent(ctx, id, { type: "decommissioned" });
    await ctx.reached("remove.recorded");
    return { session: factsOf(ctx, removed), survivors: [], left_alone: stopped.left_alone };
  });
}
