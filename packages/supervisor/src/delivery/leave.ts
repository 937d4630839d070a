import type { SessionRecord } from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { paneOf, readScreen, type ScreenReading } from "../observe/observe.js";

/** Delay between two keys: an agent that reads both at once may take them for another key. */
const KEY_MS = 250;
const POLL_MS = 100;
/** A busy agent can miss keys: they are pressed again only while it is seen to be blocked. */
const TRIES = 3;
const TRY_MS = 1_500;

export interface Leaving {
  readonly record: SessionRecord;
  /** The current reading. */
  readonly seen: ScreenReading;
  /** Deadline for an effect, in milliseconds since 1970. */
  readonly deadline: number;
}

/** A dialog other than an approval blocks the agent, and its closing keys are known. */
export function isHeldUp({ reading }: ScreenReading): boolean {
  return (reading.leave ?? null) !== null && reading.state !== "awaiting_approval";
}

/** Closes a blocking dialog without agreeing to anything: returns the first look at which it is gone, or the last one in time. */
export async function leave(ctx: Context, { record, seen, deadline }: Leaving): Promise<ScreenReading> {
  const so = (now: ScreenReading) => !isHeldUp(now) && now.reading.state !== "unknown";
  let now = seen;
  for (let tries = 1; tries <= TRIES && isHeldUp(now); tries++) {
    await press(ctx, { record, keys: now.reading.leave ?? [] });
    now = await untilScreen(ctx, { record, deadline: Math.min(deadline, ctx.clock.now() + TRY_MS), so });
  }
  return so(now) ? now : untilScreen(ctx, { record, deadline, so });
}

export async function press(
  ctx: Context,
  { record, keys }: { readonly record: SessionRecord; readonly keys: readonly string[] },
): Promise<void> {
  for (const key of keys) {
    await ctx.host.keys(paneOf(record), [key]);
    await ctx.clock.sleep(KEY_MS);
  }
}

interface Until extends Omit<Leaving, "seen"> {
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
