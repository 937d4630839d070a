import { type Activity, type SessionState, waitingTurns } from "@tmpm/core";
import type { Context } from "../context.js";
import { believedActivity } from "../observe/observations.js";

/** A count of equal sessions. */
export interface TalliedSessions {
  readonly state: SessionState;
  readonly agent: string;
  readonly activity: Activity["state"];
  readonly count: number;
}

export interface Tally {
  readonly sessions: readonly TalliedSessions[];
  /** Running turns, and waiting prompts. */
  readonly turns: { readonly open: number; readonly waiting: number };
}

/** Counts of all unarchived sessions' activities. Computed from the records and from memory. */
export async function tally(ctx: Context): Promise<Tally> {
  const entries = await ctx.store.list();
  const nowMs = ctx.clock.now();
  const alike = new Map<string, TalliedSessions>();
  let open = 0;
  let waiting = 0;
  for (const entry of entries) {
    if (entry.kind !== "session") continue;
    const { record } = entry;
    const known = ctx.observations.known(record.id);
    const activity = believedActivity(record, { known, nowMs, beliefMs: ctx.settings.beliefMs }).state;
    const key = `${record.state} ${record.agent} ${activity}`;
    alike.set(key, { state: record.state, agent: record.agent, activity, count: (alike.get(key)?.count ?? 0) + 1 });
    const lane = ctx.turns.lane(record.id);
    const queued = waitingTurns(lane).length;
    waiting += queued;
    open += lane.open.length - queued;
  }
  return { sessions: [...alike.values()], turns: { open, waiting } };
}
