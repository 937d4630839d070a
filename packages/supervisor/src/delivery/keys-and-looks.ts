import type { SessionRecord } from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { paneOf, readScreen, type ScreenReading } from "../observe/observe.js";

/** Delay between two keys: an agent that reads both at once may take them for another key. */
const KEY_MS = 250;
const POLL_MS = 100;

/** Presses keys one after the other, so that the agent shows the effect of each. */
export async function press(
  ctx: Pick<Context, "clock" | "host">,
  { record, keys }: { readonly record: SessionRecord; readonly keys: readonly string[] },
): Promise<void> {
  for (const key of keys) {
    await ctx.host.keys(paneOf(record), [key]);
    await ctx.clock.sleep(KEY_MS);
  }
}

export interface Until {
  readonly record: SessionRecord;
  /** In milliseconds since 1970. */
  readonly deadline: number;
  readonly so: (look: ScreenReading) => boolean;
}

/** The first look that satisfies the condition, or the last one in time. */
export async function untilScreen(ctx: Context, { record, deadline, so }: Until): Promise<ScreenReading> {
  for (;;) {
    const seen = await readScreen(ctx, { record, adapter: agentOf(ctx, record) });
    if (so(seen) || ctx.clock.now() >= deadline) return seen;
    await ctx.clock.sleep(POLL_MS);
  }
}
