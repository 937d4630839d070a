import { isTerminal, type SessionRecord, type TmpmError } from "@tmpm/core";
import type { PaneInfo } from "@tmpm/tmux-driver";
import { concludeNow } from "../conclude.js";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { settle } from "../launch.js";
import { describeExit } from "../observations.js";
import { recordEvent } from "../record-change.js";
import { stopNow } from "./stop.js";

/** What a reconciliation found, by session id. `unobservable`: tmux could not be asked, and nothing was changed. */
export interface Reconciled {
  readonly live: readonly string[];
  readonly changed: readonly string[];
  readonly unknown: readonly string[];
  readonly unobservable: TmpmError | null;
}

/** Makes the records agree with what is observed: finishes or takes back what a crash interrupted, and notices what has ended. Unknown changes nothing. */
export async function reconcile(ctx: Context): Promise<Reconciled> {
  const answer = await ctx.driver.list();
  if (answer.kind === "unknown") return { live: [], changed: [], unknown: [], unobservable: answer.error };
  const panes = answer.kind === "present" ? answer.value : [];
  const bySession = new Map(panes.flatMap((pane) => (pane.sessionId === null ? [] : [[pane.sessionId, pane] as const])));
  const entries = await ctx.store.list({ archived: true });
  const records = entries.flatMap((entry): SessionRecord[] =>
    entry.kind === "session" && !isTerminal(entry.record) ? [entry.record] : [],
  );
  const outcomes = await Promise.all(
    records.map(async (record) => ({
      id: record.id,
      outcome: await settleRecord(ctx, { record, pane: bySession.get(record.id) ?? null }),
    })),
  );
  const ids = (wanted: Outcome) => outcomes.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  return { live: ids("live"), changed: ids("changed"), unknown: ids("unknown"), unobservable: null };
}

type Outcome = "live" | "changed" | "unknown" | "at rest";

/** A session that somebody works on now is left to them. */
async function settleRecord(ctx: Context, seen: { record: SessionRecord; pane: PaneInfo | null }): Promise<Outcome> {
  if (ctx.queue.busy(seen.record.id)) return "live";
  return ctx.queue.run(seen.record.id, async () => {
    try {
      const record = await findSession(ctx, seen.record.id);
      return record.intent === null ? await compare(ctx, record) : await finish(ctx, { record, pane: seen.pane });
    } catch (error) {
      ctx.report({ doing: `reconciling session ${seen.record.name}`, error });
      return "unknown";
    }
  });
}

async function compare(ctx: Context, record: SessionRecord): Promise<Outcome> {
  if (record.state !== "active") return "at rest";
  const after = await concludeNow(ctx, record.id);
  return after.state === "active" ? "live" : "changed";
}

/** Finishes what was interrupted: a launch that reached tmux is taken over, one that did not is said to have failed, a stop goes on. */
async function finish(ctx: Context, seen: { record: SessionRecord; pane: PaneInfo | null }): Promise<Outcome> {
  const { record } = seen;
  if (record.intent?.op === "stop" || record.intent?.op === "remove") {
    await stopNow(ctx, { id: record.id, graceMs: ctx.settings.graceMs });
    return "changed";
  }
  const pane = await findTagged(ctx, seen);
  if (pane === "unknown") return "unknown";
  if (pane === null) {
    await recordEvent(ctx, record.id, notLaunched(record));
    return "changed";
  }
  await takeOver(ctx, { record, pane });
  return "changed";
}

/** The list may be older than the launch, so absence is asked for once more. */
async function findTagged(ctx: Context, seen: { record: SessionRecord; pane: PaneInfo | null }): Promise<PaneInfo | null | "unknown"> {
  if (seen.pane !== null) return seen.pane;
  const answer = await ctx.driver.list();
  if (answer.kind === "unknown") return "unknown";
  if (answer.kind === "absent") return null;
  return answer.value.find((pane) => pane.sessionId === seen.record.id) ?? null;
}

function notLaunched(record: SessionRecord): Parameters<typeof recordEvent>[2] {
  const error = { code: "LAUNCH_FAILED", message: "tmpm was interrupted before the program was started" };
  return { type: "failed", error, exit: record.exit, last_lines: record.last_lines };
}

async function takeOver(ctx: Context, seen: { record: SessionRecord; pane: PaneInfo }): Promise<void> {
  const launched = await settle(ctx, seen);
  const { identity, pid, exit } = launched.pane;
  if (launched.kind === "running") {
    await recordEvent(ctx, seen.record.id, { type: "launched", pane: identity, pid });
    return;
  }
  const error = { code: "LAUNCH_FAILED", message: exit === null ? "the program ended at once" : describeExit(exit) };
  await recordEvent(ctx, seen.record.id, { type: "failed", error, exit, last_lines: launched.lastLines });
}
