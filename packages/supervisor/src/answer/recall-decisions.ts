import { NOTHING_ASKED } from "../activity/asked.js";
import type { Context } from "../context.js";
import { activeRecords } from "../looks/sweep.js";

/** Takes up what the last daemon knew to be asked of the sessions that still run, so that the screen that still shows it is the same decision. */
export async function recallDecisions(ctx: Context): Promise<void> {
  try {
    const kept = await ctx.decisions.load();
    const running = new Set((await activeRecords(ctx)).map(({ id }) => id));
    for (const [id, asked] of kept) {
      if (running.has(id)) ctx.observations.know(id, { ...ctx.observations.known(id), asked });
      else ctx.decisions.keep(id, NOTHING_ASKED);
    }
  } catch (error) {
    // What is asked shows on the screens, too: it is another decision then.
    ctx.report({ doing: "restoring pending decisions", error });
  }
}
