import { isTerminal, type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { PaneInfo } from "@tmpm/tmux-driver";
import { concludeIfEnded } from "./conclude.js";
import type { Context } from "./context.js";
import { look, remember, SETTLED_SECONDS } from "./observe.js";

/**
 * Looks at all active sessions once: one listing for all, and a screen for those that printed since their last one. Tells whether anything is going on.
 * A session whose terminal is missing from the listing is asked for by itself, and only a positive answer changes its record.
 */
export async function sweep(ctx: Context): Promise<"busy" | "quiet"> {
  const answer = await ctx.driver.list();
  if (answer.kind === "unknown") return "quiet";
  const panes = new Map((answer.kind === "present" ? answer.value : []).map((pane) => [keyOf(pane.identity), pane]));
  const records = await activeRecords(ctx);
  const states = await Promise.all(records.map((record) => visit(ctx, { record, pane: panes.get(keyOf(record.pane)) ?? null })));
  return states.some((state) => state === "busy") ? "busy" : "quiet";
}

async function activeRecords(ctx: Context): Promise<readonly SessionRecord[]> {
  const entries = await ctx.store.list();
  return entries.flatMap((entry): SessionRecord[] =>
    entry.kind === "session" && entry.record.state === "active" && !isTerminal(entry.record) ? [entry.record] : [],
  );
}

function keyOf(identity: SessionRecord["pane"]): string {
  return identity === null ? "" : `${identity.server_pid} ${identity.server_start} ${identity.pane_id}`;
}

async function visit(ctx: Context, seen: { record: SessionRecord; pane: PaneInfo | null }): Promise<"busy" | "quiet"> {
  const { record, pane } = seen;
  try {
    if (pane === null || pane.exit !== null) {
      await concludeIfEnded(ctx, record.id);
      return "busy";
    }
    await observePane(ctx, { record, pane });
    await noteViewers(ctx, record);
  } catch (error) {
    ctx.report({ doing: `looking at session ${record.name}`, error });
    return "quiet";
  }
  const state = ctx.observations.get(record.id)?.activity.state;
  return state === "working" || state === "starting" ? "busy" : "quiet";
}

/** A screen that has not changed since it was read means what it meant then. */
async function observePane(ctx: Context, seen: { record: SessionRecord; pane: PaneInfo }): Promise<void> {
  const { record, pane } = seen;
  const previous = ctx.observations.get(record.id);
  const settled = ctx.clock.now() / 1000 - pane.activeAt >= SETTLED_SECONDS;
  if (
    previous !== undefined &&
    settled &&
    previous.settled &&
    previous.pane.activeAt === pane.activeAt &&
    previous.pane.foreground === pane.foreground
  ) {
    remember(ctx, { record, pane, reading: previous.reading, settled });
    return;
  }
  await look(ctx, { record, adapter: ctx.agent(record.agent) });
}

/** A viewer since the launch is what later tells Detached from Active. */
async function noteViewers(ctx: Context, record: SessionRecord): Promise<void> {
  const viewers = ctx.observations.get(record.id)?.pane.viewers ?? 0;
  if (viewers === 0 || record.viewed_at !== null) return;
  const now = timestampFromMs(ctx.clock.now());
  await ctx.store.update(record.id, (current) =>
    current.viewed_at === null && current.state === "active" ? { ...current, viewed_at: now, updated_at: now } : current,
  );
}
