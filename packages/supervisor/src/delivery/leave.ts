import type { SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import type { ScreenReading } from "../observe/observe.js";
import { press, untilScreen } from "./keys-and-looks.js";

/** A busy agent can miss keys: they are pressed again only while it is seen to be blocked. */
const TRIES = 3;
const TRY_MS = 1_500;

export interface LeaveOptions {
  readonly record: SessionRecord;
  readonly seen: ScreenReading;
  /** Deadline for an effect, in milliseconds since 1970. */
  readonly deadline: number;
}

/** A dialog other than an approval blocks the agent, and its closing keys are known. */
export function isHeldUp({ reading }: ScreenReading): boolean {
  return (reading.leave ?? null) !== null && reading.state !== "awaiting_approval";
}

/** Closes a blocking dialog without agreeing to anything: returns the first look at which it is gone, or the last one in time. */
export async function leave(ctx: Context, { record, seen, deadline }: LeaveOptions): Promise<ScreenReading> {
  const so = (now: ScreenReading) => !isHeldUp(now) && now.reading.state !== "unknown";
  let now = seen;
  for (let tries = 1; tries <= TRIES && isHeldUp(now); tries++) {
    await press(ctx, { record, keys: now.reading.leave ?? [] });
    now = await untilScreen(ctx, { record, deadline: Math.min(deadline, ctx.clock.now() + TRY_MS), so });
  }
  return so(now) ? now : untilScreen(ctx, { record, deadline, so });
}
