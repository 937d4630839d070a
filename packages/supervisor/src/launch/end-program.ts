import type { AgentAdapter } from "@tmpm/agents";
import { hasCode, type KillReport, type PaneIdentity, type SessionRecord } from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { paneOf, readScreen } from "../observe/observe.js";
import { clearIntent } from "../record-change.js";
import type { Step } from "../steps.js";

/** The result of ending a session's program. */
export interface Ended extends KillReport {
  /** Why the record's terminal was not touched; null otherwise. */
  readonly left_alone: string | null;
}

export interface Ending {
  /** Already contains the intent of the operation. */
  readonly record: SessionRecord;
  readonly graceMs: number;
  readonly reached: { readonly asked: Step; readonly killed: Step };
}

/**
 * Asks the agent to exit, ends its whole process tree and proves it gone. A terminal that is not ours is not touched; a failed effect
 * clears the intent.
 */
export async function endProgram(ctx: Context, { record, graceMs, reached }: Ending): Promise<Ended> {
  const gone: KillReport = { survivors: [], exit: record.exit, lastLines: record.last_lines };
  const asked = await onOurs(ctx, { record, effect: () => ask(ctx, { record, graceMs }), otherwise: undefined });
  await ctx.reached(reached.asked);
  const killed = await onOurs(ctx, { record, effect: (pane) => ctx.host.kill(pane, { graceMs }), otherwise: gone });
  await ctx.reached(reached.killed);
  const foreign = killed.foreign ?? asked.foreign ?? (await strangerUnderItsName(ctx, record));
  return { ...killed.result, left_alone: foreign ?? besideIt(killed.result) };
}

function besideIt({ kept, servers = [] }: KillReport): string | null {
  const windows = kept === undefined ? [] : [`other windows stay open in tmux session ${kept}`];
  const started = servers.map((pid) => `the tmux server that it started (process ${pid}) keeps running, with everything in it`);
  return [...windows, ...started].join("; ") || null;
}

/** A host that does not answer fails the operation before anything is written. @throws TMUX_UNRESPONSIVE and the like */
export async function requireAnswer(ctx: Pick<Context, "host">, record: SessionRecord): Promise<void> {
  if (record.pane === null) return;
  const answer = await ctx.host.find(record.pane);
  if (answer.kind === "unknown") throw answer.error;
}

interface OnOurs<T> {
  readonly record: SessionRecord;
  readonly effect: (pane: PaneIdentity) => Promise<T>;
  readonly otherwise: T;
}

async function onOurs<T>(
  ctx: Pick<Context, "clock" | "store">,
  { record, effect, otherwise }: OnOurs<T>,
): Promise<{ result: T; foreign: string | null }> {
  if (record.pane === null) return { result: otherwise, foreign: null };
  try {
    return { result: await effect(record.pane), foreign: null };
  } catch (error) {
    if (hasCode(error, "PANE_GONE")) return { result: otherwise, foreign: null };
    if (hasCode(error, "PANE_FOREIGN")) return { result: otherwise, foreign: error.message };
    await clearIntent(ctx, record.id);
    throw error;
  }
}

const NOT_KNOWN = "another program runs it, in an unknown terminal";

/** If terminals have names, another user's session may have this one's name after a restart of tmux. */
async function strangerUnderItsName(
  ctx: Pick<Context, "host">,
  { id, state, pane, tmux_name, control }: SessionRecord,
): Promise<string | null> {
  if (pane === null) return state === "active" ? NOT_KNOWN : null;
  const host = ctx.host.of(control);
  if (host.rename === undefined) return null;
  const answer = await host.list();
  const stranger = answer.kind === "present" && answer.value.some(({ tmuxName, sessionId }) => tmuxName === tmux_name && sessionId !== id);
  return stranger ? `the tmux session ${tmux_name} now belongs to another session` : null;
}

const POLL_MS = 100;

/** Types an idle agent's exit command, and waits for its end. */
async function ask(ctx: Context, request: { record: SessionRecord; graceMs: number }): Promise<void> {
  const { record } = request;
  const adapter = agentOf(ctx, record);
  if (adapter.quit === null || ctx.host.conversation(paneOf(record)) !== null) return;
  const seen = await readScreen(ctx, { record, adapter });
  if (seen.pane.exit !== null || seen.reading.state !== "idle" || seen.pane.inMode) return;
  await typeQuit(ctx, { record, quit: adapter.quit });
  const deadline = ctx.clock.now() + request.graceMs;
  while (ctx.clock.now() < deadline) {
    const answer = await ctx.host.find(paneOf(record));
    if (answer.kind !== "present" || answer.value.exit !== null) return;
    await ctx.clock.sleep(POLL_MS);
  }
}

async function typeQuit(
  ctx: Pick<Context, "clock" | "host">,
  request: { record: SessionRecord; quit: NonNullable<AgentAdapter["quit"]> },
): Promise<void> {
  const pane = paneOf(request.record);
  if ("keys" in request.quit) return ctx.host.keys(pane, request.quit.keys);
  await ctx.host.paste(pane, request.quit.text);
  await ctx.clock.sleep(POLL_MS);
  await ctx.host.keys(pane, ["Enter"]);
}
