import { type AutoResume, hasCode, msFromTimestamp, type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { planAgain, relaunch } from "../launch/relaunch.js";
import { requireStanding } from "../launch/require-standing.js";
import type { InFlight } from "../observe/in-flight.js";
import { UNANSWERED } from "../unanswered.js";
import { backOffMs, withAttempt } from "./auto-resume-plan.js";

/** After a loss of many sessions they resume a few at a time. */
const AT_ONCE = 4;

/** Starts the launches that are due. */
export async function resumeDue(ctx: Context, work: InFlight): Promise<void> {
  const now = ctx.clock.now();
  const due = (await planned(ctx)).filter(({ at }) => at <= now);
  const free = AT_ONCE - due.filter(({ record }) => work.has(keyOf(record))).length;
  const next = due.filter(({ record }) => !work.has(keyOf(record)) && !ctx.queue.busy(record.id)).slice(0, Math.max(0, free));
  for (const { record } of next) work.begin(keyOf(record), () => attempt(ctx, record.id));
}

/** Milliseconds until the next launch is due; infinite when none is planned. */
export async function nextResumption(ctx: Pick<Context, "clock" | "settings" | "store">): Promise<number> {
  const times = (await planned(ctx)).map(({ at }) => Math.max(100, at - ctx.clock.now()));
  return Math.min(...times);
}

function keyOf({ name }: SessionRecord): string {
  return `resuming session ${name}`;
}

async function planned(
  ctx: Pick<Context, "settings" | "store">,
): Promise<readonly { readonly record: SessionRecord; readonly at: number }[]> {
  if (!ctx.settings.autoResume) return [];
  const entries = await ctx.store.list();
  return entries.flatMap((entry) => {
    const at = entry.kind === "session" ? dueAt(entry.record) : null;
    return entry.kind === "session" && at !== null ? [{ record: entry.record, at }] : [];
  });
}

function dueAt({ state, stop_cause, intent, auto_resume }: SessionRecord): number | null {
  if (state !== "stopped" || stop_cause !== "unexpected" || intent !== null) return null;
  const next = auto_resume?.next_at ?? null;
  return next === null ? null : msFromTimestamp(next);
}

/** The attempt is recorded before it is made, so that a crash counts it instead of repeating it. */
async function attempt(ctx: Context, id: string): Promise<void> {
  await ctx.queue.run(id, async () => {
    const record = await beginAttempt(ctx, id);
    if (record === null) return;
    try {
      await requireStanding(ctx, record);
      const plan = await planAgain(ctx, { record, searchPath: undefined });
      const { launched_at } = await relaunch(ctx, { record, plan, op: "resume", config: {} });
      await ctx.store.update(id, (current) => withLast(current, { launched_at, next_at: null }));
    } catch (error) {
      await afterFailure(ctx, { id, error });
    }
  });
}

/** Null when a caller has decided otherwise meanwhile. */
async function beginAttempt(ctx: Pick<Context, "clock" | "store">, id: string): Promise<SessionRecord | null> {
  const at = timestampFromMs(ctx.clock.now());
  let due = false;
  const record = await ctx.store.update(id, (current) => {
    due = dueAt(current) !== null;
    const attempts = withAttempt(current.auto_resume?.attempts ?? [], at);
    return due ? { ...current, auto_resume: { attempts, next_at: null } } : current;
  });
  return due ? record : null;
}

/** Transient errors are retried; others wait for a user, and are in the record or the report. */
async function afterFailure(
  ctx: Pick<Context, "clock" | "store">,
  { id, error }: { readonly id: string; readonly error: unknown },
): Promise<void> {
  const passing = hasCode(error, ...UNANSWERED, "TMUX_FAILED", "RESOURCE_EXHAUSTED", "NAME_TAKEN");
  if (passing) {
    await ctx.store.update(id, (current) => {
      const next = ctx.clock.now() + backOffMs(current.auto_resume?.attempts ?? []);
      return withLast(current, { launched_at: null, next_at: timestampFromMs(next) });
    });
  }
  if (!hasCode(error, "LAUNCH_FAILED")) throw error;
}

function withLast(
  current: SessionRecord,
  { launched_at, next_at }: Pick<AutoResume["attempts"][number], "launched_at"> & Pick<AutoResume, "next_at">,
): SessionRecord {
  const attempts = current.auto_resume?.attempts ?? [];
  const last = attempts.at(-1);
  if (last === undefined) return current;
  return { ...current, auto_resume: { attempts: [...attempts.slice(0, -1), { ...last, launched_at }], next_at } };
}
