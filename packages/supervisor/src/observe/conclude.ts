import { hasCode, type PaneIdentity, type SessionRecord } from "@tmpm/core";
import type { Track } from "../activity/track.js";
import type { Context } from "../context.js";
import { isTheirs } from "../discovery/bind-pane.js";
import { bindTheirs } from "../discovery/their-terminal.js";
import { findSession } from "../find-session.js";
import { resumeAfter } from "../housekeeping/auto-resume-plan.js";
import { recordChange } from "../record-change.js";
import { UNANSWERED } from "../unanswered.js";
import { forget } from "./learn.js";

/**
 * Updates the record of an active session when its program has ended or its terminal is provably gone. An undetermined state changes
 * nothing.
 * A dead terminal is removed once its exit and last lines are stored.
 */
export function concludeIfEnded(ctx: Context, id: string): Promise<SessionRecord> {
  return ctx.queue.run(id, () => concludeNow(ctx, id));
}

/** Likewise, for a caller that already holds the session's queue. */
export async function concludeNow(ctx: Context, id: string): Promise<SessionRecord> {
  const record = await findSession(ctx, id);
  if (record.state !== "active" || record.pane === null) return record;
  const { pane } = record;
  const answer = await ctx.host.find(pane);
  if (answer.kind === "unknown") return record;
  if (answer.kind === "absent") return (await startedAgain(ctx, record)) ?? stopped(ctx, { record, exit: null, lastLines: [] });
  if (answer.value.exit === null) return record;
  const after = await stopped(ctx, { record, exit: answer.value.exit, lastLines: await lastWords(ctx, pane) });
  await removeDead(ctx, pane);
  return after;
}

/** The other program of a shared store may have started it again, in another terminal. */
async function startedAgain(ctx: Context, record: SessionRecord): Promise<SessionRecord | null> {
  if (!ctx.settings.sharedStore || record.adopted === null || record.launched_at !== null) return null;
  const unbound = await ctx.store.update(record.id, (current) =>
    current.state === "active" ? { ...current, pane: null, pid: null } : current,
  );
  return isTheirs(unbound) ? bindTheirs(ctx, unbound) : unbound;
}

const LAST_LINES = 50;

async function lastWords(ctx: Pick<Context, "host">, pane: PaneIdentity): Promise<readonly string[]> {
  try {
    const { lines } = await ctx.host.capture(pane, { history: LAST_LINES });
    const used = lines.findLastIndex((line) => line !== "") + 1;
    return lines.slice(Math.max(0, used - LAST_LINES), used);
  } catch (error) {
    // More text than a host reads at once.
    if (hasCode(error, "INVALID_ARGUMENT")) return [];
    return whenLeft(error, []);
  }
}

/** Also ends processes that the program left. A terminal that stays is removed by a later reconcile. */
export async function removeDead(ctx: Pick<Context, "host" | "settings">, pane: PaneIdentity): Promise<void> {
  try {
    await ctx.host.kill(pane, { graceMs: ctx.settings.graceMs });
  } catch (error) {
    whenLeft(error, undefined);
  }
}

/** The exit is known even if its terminal cannot be read and removed now. */
function whenLeft<T>(error: unknown, otherwise: T): T {
  if (hasCode(error, "PANE_FOREIGN", "PANE_GONE", ...UNANSWERED, "TMUX_FAILED", "RESOURCE_EXHAUSTED")) return otherwise;
  throw error;
}

interface End {
  readonly record: SessionRecord;
  readonly exit: SessionRecord["exit"];
  readonly lastLines: readonly string[];
}

async function stopped(ctx: Context, { record, exit, lastLines }: End): Promise<SessionRecord> {
  const atDialog = wasAtDialog(ctx.observations.known(record.id).track);
  forget(ctx, record);
  const planOf = (current: SessionRecord) => resumeAfter(ctx, { record: current, exit, atDialog });
  const after = await recordChange(ctx, {
    id: record.id,
    anyway: true,
    reason: exit === null ? "terminal_gone" : "process_exit",
    change: (current) => ({ type: "stopped", cause: planOf(current).cause, exit, last_lines: lastLines }),
    also: (current) => ({ auto_resume: planOf(current).plan }),
  });
  ctx.turns.apply(record.id, { type: "gone" });
  emitEnd(ctx, { record: after, exit, lastLines });
  return after;
}

function wasAtDialog({ account }: Track): boolean {
  return account.findLast(({ source, state }) => source !== "hook" && state !== "exited")?.state === "blocked";
}

function emitEnd(ctx: Pick<Context, "emit">, { record, exit, lastLines }: End): void {
  const common = { at: record.updated_at, session_id: record.id };
  if (exit !== null) {
    const last_line = lastLines.findLast((line) => line.trim() !== "") ?? null;
    ctx.emit({ ...common, type: "session_exited", reason: "process_exit", status: exit.status, signal: exit.signal, last_line });
  }
  if (record.stop_cause !== "resume_flapping") return;
  const deaths = (record.auto_resume?.attempts.length ?? 0) + 1;
  ctx.emit({ ...common, type: "auto_resume_parked", reason: "resume_flapping", deaths });
}
