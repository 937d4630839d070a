import { NOTHING_ASKED } from "../activity/asked.js";
import type { Context } from "../context.js";
import { activeRecords } from "../observe/sweep.js";

/** Restores the last daemon's decisions of sessions that are still running, so that a screen that still shows one has the same decision. */
export async function recallDecisions(ctx: Context): Promise<void> {
  try {
    const kept = await ctx.decisions.load();
    const running = new Set((await activeRecords(ctx)).map(({ id }) => id));
    for (const [id, asked] of kept) {
      if (running.has(id)) ctx.observations.know(id, { ...ctx.observations.known(id), asked });
      else ctx.decisions.keep(id, NOTHING_ASKED);
    }
  } catch (error) {
    // Decisions are also on the screens, but then with other ids.
    ctx.report({ doing: "restoring pending decisions", error });
  }
}
