import type { AgentAdapter } from "@tmpm/agents";
import { hasCode, invalidState, isTerminal, type PaneIdentity, type SessionRecord } from "@tmpm/core";
import type { KillReport } from "@tmpm/tmux-driver";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { look, paneOf } from "../observe.js";
import { clearIntent, recordEvent, recordIntent } from "../record-change.js";

export interface Stopped {
  readonly session: SessionFacts;
  /** Processes that did not end, by pid. */
  readonly survivors: readonly number[];
}

/** Asks the agent to end, ends its whole process tree, proves it gone; keeps record and directory. Idempotent. @throws INVALID_STATE for finished sessions */
export async function stop(ctx: Context, input: { readonly session: string; readonly grace_ms?: number | undefined }): Promise<Stopped> {
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, () => stopNow(ctx, { id, graceMs: input.grace_ms ?? ctx.settings.graceMs }));
}

/** The same, for a caller that already holds the session's queue. */
export async function stopNow(ctx: Context, request: { readonly id: string; readonly graceMs: number }): Promise<Stopped> {
  const record = await findSession(ctx, request.id);
  if (isTerminal(record)) throw invalidState(record, { verb: "stop", allowed: ["active", "errored", "provisioning"] });
  if (record.state === "stopped" && record.intent === null) return { session: factsOf(ctx, record), survivors: [] };
  if (record.pane !== null) await requireAnswer(ctx, record);
  await recordIntent(ctx, { id: record.id, op: "stop", step: "end" });
  await ctx.reached("stop.intended");
  await onOurs(ctx, { record, effect: () => ask(ctx, { record, graceMs: request.graceMs }), otherwise: undefined });
  await ctx.reached("stop.asked");
  const gone: KillReport = { survivors: [], exit: record.exit, lastLines: record.last_lines };
  const ended = await onOurs(ctx, { record, effect: (pane) => ctx.driver.kill(pane, { graceMs: request.graceMs }), otherwise: gone });
  await ctx.reached("stop.killed");
  const after = await recordEvent(ctx, record.id, { type: "stopped", cause: "deliberate", exit: ended.exit, last_lines: ended.lastLines });
  ctx.observations.forget(record.id);
  await ctx.reached("stop.recorded");
  return { session: factsOf(ctx, after), survivors: ended.survivors };
}

/** A tmux that does not answer fails the stop before anything is written. */
async function requireAnswer(ctx: Context, record: SessionRecord): Promise<void> {
  const answer = await ctx.driver.find(paneOf(record));
  if (answer.kind === "unknown") throw answer.error;
}

interface OnOurs<T> {
  readonly record: SessionRecord;
  readonly effect: (pane: PaneIdentity) => Promise<T>;
  readonly otherwise: T;
}

/** Somebody else's terminal is left alone, and only the record moves; an effect that fails takes the intent back. */
async function onOurs<T>(ctx: Context, { record, effect, otherwise }: OnOurs<T>): Promise<T> {
  if (record.pane === null) return otherwise;
  try {
    return await effect(record.pane);
  } catch (error) {
    if (hasCode(error, "PANE_GONE", "PANE_FOREIGN")) return otherwise;
    await clearIntent(ctx, record.id);
    throw error;
  }
}

const POLL_MS = 100;

/** Asks an idle agent in its own words, and waits for it to go. */
async function ask(ctx: Context, request: { record: SessionRecord; graceMs: number }): Promise<void> {
  const { record } = request;
  const adapter = ctx.agent(record.agent);
  if (adapter.quit === null) return;
  const seen = await look(ctx, { record, adapter });
  if (seen.pane.exit !== null || seen.reading.state !== "idle" || seen.pane.inMode) return;
  await typeQuit(ctx, { record, quit: adapter.quit });
  const deadline = ctx.clock.now() + request.graceMs;
  while (ctx.clock.now() < deadline) {
    const answer = await ctx.driver.find(paneOf(record));
    if (answer.kind !== "present" || answer.value.exit !== null) return;
    await ctx.clock.sleep(POLL_MS);
  }
}

async function typeQuit(ctx: Context, request: { record: SessionRecord; quit: NonNullable<AgentAdapter["quit"]> }): Promise<void> {
  const pane = paneOf(request.record);
  if ("keys" in request.quit) return ctx.driver.keys(pane, request.quit.keys);
  await ctx.driver.paste(pane, request.quit.text);
  await ctx.clock.sleep(POLL_MS);
  await ctx.driver.keys(pane, ["Enter"]);
}
