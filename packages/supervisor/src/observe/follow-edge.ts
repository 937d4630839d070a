import { hasCode } from "@tmpm/core";
import { believe, HOLD_MS, rulingEdge, waits } from "../activity/believe.js";
import type { Context } from "../context.js";
import { mayBeOver } from "../turns/notice.js";

const EVERY_MS = 100;

/** Looks at a session after a hook's report or a prompt, until the screen confirms it or is believed instead. */
export async function followEdge(ctx: Context, { id, ended }: { readonly id: string; readonly ended: () => boolean }): Promise<void> {
  const until = ctx.clock.now() + 2 * HOLD_MS;
  do {
    await ctx.clock.sleep(EVERY_MS);
    if (ended()) return;
    if (!(await isThere(ctx, id))) return;
  } while (ctx.clock.now() < until && (isHeld(ctx, id) || mayBeOver(ctx, id)));
}

/** Looks; false once its record has been removed. */
async function isThere(ctx: Pick<Context, "clock" | "looks">, id: string): Promise<boolean> {
  try {
    await ctx.looks.since(id, ctx.clock.now());
    return true;
  } catch (error) {
    if (hasCode(error, "SESSION_NOT_FOUND")) return false;
    throw error;
  }
}

/** Either the believed state, or behind a dialog on the screen. */
function isHeld(ctx: Pick<Context, "clock" | "observations" | "settings">, id: string): boolean {
  const { track } = ctx.observations.known(id);
  const options = { nowMs: ctx.clock.now(), beliefMs: ctx.settings.beliefMs };
  if (rulingEdge(track, options) !== null || waits(track, options)) return true;
  const { edge, met } = track;
  return edge !== null && !met && options.nowMs - edge.atMs < HOLD_MS && believe(track, options)?.state !== edge.state;
}
