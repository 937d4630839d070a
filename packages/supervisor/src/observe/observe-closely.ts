import type { SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { activeRecords, type OnScreen, observeScreens } from "./sweep.js";

/** tmux dates output by the second, so a second change within one is only noticed by looking. */
const EVERY_MS = 100;

/** With many sessions, each is checked less often. */
const EACH_MS = 40;

/** More are left to the sweep, which is as frequent. */
const MOST = 20;

/** Looks often at working or starting agents without reports, on our own hosts, as long as there are any. */
export async function observeClosely(ctx: Context, { ended }: { readonly ended: () => boolean }): Promise<void> {
  for (;;) {
    const records = await activeRecords(ctx);
    const watched = records.flatMap((record) => onScreen(ctx, record));
    if (watched.length === 0 || watched.length > MOST) return;
    await ctx.clock.sleep(Math.max(EVERY_MS, watched.length * EACH_MS));
    if (ended()) return;
    await observeScreens(ctx, watched);
  }
}

/** At other servers every look is a process of its own. */
function onScreen(ctx: Pick<Context, "host" | "observations">, record: SessionRecord): readonly OnScreen[] {
  const { pane } = record;
  return pane !== null && ctx.host.isOwn(pane) && isUnreported(ctx, record.id) ? [{ record, identity: pane }] : [];
}

/** A program known only by its processes may run for days. */
function isUnreported(ctx: Pick<Context, "observations">, id: string): boolean {
  const { heardMs, level, belief } = ctx.observations.known(id).track;
  return heardMs === null && level?.source !== "process" && (belief?.state === "working" || belief?.state === "starting");
}
