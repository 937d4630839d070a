import type { LaunchPlan } from "@tmpm/agents";
import {
  agentEnv,
  type ControlModel,
  hasCode,
  type PaneInfo,
  type SessionRecord,
  tmuxNameFromName,
  uniqueName,
  withEffect,
  withoutLogin,
} from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { changeConversation } from "../hooks/conversation-changed.js";
import { planReporting } from "../hooks/plan-reporting.js";
import { describeExit } from "../observe/observations.js";
import { launchConfig } from "../overrides/session-overrides.js";
import { clearIntent, recordEvent, recordIntent } from "../record-change.js";
import type { Step } from "../steps.js";
import { UNANSWERED } from "../unanswered.js";
import { launchFailed, openTerminal, settle, workingDirectory } from "./launch.js";
import type { Environment } from "./launch-env.js";
import { taggedTerminals } from "./tagged-terminals.js";

export interface Relaunch {
  readonly record: SessionRecord;
  readonly plan: LaunchPlan;
  readonly op: "resume" | "restart";
  /** Changed parts of the configuration. */
  readonly config: SessionRecord["agent_config"];
  /** The host that it resumes on; the record's by default. */
  readonly control?: ControlModel;
}

const REACHED = {
  resume: { intended: "resume.intended", opened: "resume.opened", confirmed: "resume.confirmed", recorded: "resume.recorded" },
  restart: { intended: "restart.opening", opened: "restart.opened", confirmed: "restart.confirmed", recorded: "restart.recorded" },
} as const satisfies Record<Relaunch["op"], Record<string, Step>>;

/** The plan for launching a session's program again, with the same conversation. @throws AGENT_NOT_INSTALLED, INVALID_ARGUMENT */
export async function planAgain(
  ctx: Context,
  request: { readonly record: SessionRecord; readonly searchPath: string | undefined; readonly env?: Environment | undefined },
): Promise<LaunchPlan> {
  const { record } = request;
  const kept = await ctx.launchEnvs.of(record.id);
  if (request.env !== undefined) await ctx.launchEnvs.keep(record.id, { ...withoutLogin(kept), ...agentEnv(record.agent, request.env) });
  const path = request.searchPath ?? record.agent_config.search_path;
  const launch = {
    sessionId: record.id,
    cwd: workingDirectory(record),
    prompt: null,
    conversationId: record.conversation_id,
    config: launchConfig(record),
    env: { ...ctx.settings.sessionEnv, ...(await ctx.launchEnvs.of(record.id)), ...(path === undefined ? {} : { PATH: path }) },
    newId: ctx.newId,
  };
  return planReporting(ctx, { adapter: agentOf(ctx, record), request: launch, granted: record.grant !== null });
}

/**
 * Launches a session's program again and records it. A program that is running anyway is taken over instead: there is never a second one.
 * @throws LAUNCH_FAILED, NAME_TAKEN, and errors of driver and store; of a host that does not answer before anything is written
 */
export async function relaunch(ctx: Context, launch: Relaunch): Promise<SessionRecord> {
  const { record, plan, op, config, control = record.control } = launch;
  const running = await runningAlready(ctx, { record: { ...record, control }, op });
  await ctx.store.unarchive(record.id);
  const intended = await recordIntent(ctx, { id: record.id, op, step: "open", config, control });
  await ctx.reached(REACHED[op].intended);
  const pane = running ?? (await open(ctx, { before: record, record: intended, plan }));
  await ctx.reached(REACHED[op].opened);
  const active = await confirm(ctx, { record: intended, pane, op });
  ctx.emit({ type: "session_resumed", at: active.updated_at, session_id: active.id, conversation_id: active.conversation_id, reason: op });
  return active;
}

/**
 * A terminal left running by a lost answer or a crash; remains of an ended program are removed. @throws the error of a host that does not
 * answer, since it may run the program already; a restart has ended one by then
 */
async function runningAlready(
  ctx: Pick<Context, "host" | "settings">,
  { record, op }: Pick<Relaunch, "record" | "op">,
): Promise<PaneInfo | null> {
  const tagged = await taggedTerminals(ctx, record);
  if (tagged.kind === "unknown") throw withEffect(tagged.error, op === "restart" ? "unknown" : "none");
  for (const { identity, exit } of tagged.panes) if (exit !== null) await ctx.host.kill(identity, { graceMs: ctx.settings.graceMs });
  return tagged.panes.find(({ exit }) => exit === null) ?? null;
}

async function open(ctx: Context, launch: Parameters<typeof openTerminal>[1] & { readonly before: SessionRecord }): Promise<PaneInfo> {
  try {
    const pane = await openUnderFreeName(ctx, launch);
    await bindConversation(ctx, launch);
    return pane;
  } catch (error) {
    // A launch that may still happen keeps its intent, for reconcile to decide.
    if (hasCode(error, ...UNANSWERED)) throw error;
    await clearIntent(ctx, launch.record.id, { control: launch.before.control });
    throw error;
  }
}

/** Maximum number of names tried when tmux has similar ones. */
const MOST_NAMES = 5;

/**
 * A user may have renamed the tmux session, which its record follows while it runs; once it has ended, another program may use that name.
 * Then the session's own name is used, with a number if that is not free either.
 */
async function openUnderFreeName(ctx: Context, launch: Parameters<typeof openTerminal>[1]): Promise<PaneInfo> {
  const tried = new Set<string>();
  for (let { record } = launch; ; ) {
    try {
      return await openTerminal(ctx, { ...launch, record });
    } catch (error) {
      if (!hasCode(error, "NAME_TAKEN") || tried.size >= MOST_NAMES) throw error;
    }
    tried.add(record.tmux_name);
    const tmux_name = uniqueName(tmuxNameFromName(record.name), tried);
    record = await ctx.store.update(record.id, (current) => ({ ...current, tmux_name }));
  }
}

/** An agent that cannot resume a conversation begins another one; that is reported if the previous one had messages. */
async function bindConversation(ctx: Context, { record, plan }: Parameters<typeof openTerminal>[1]): Promise<void> {
  const { id, conversation_id: from, conversation_note } = record;
  const anew = plan.anew ?? null;
  const to = anew === null ? (plan.conversationId ?? from) : plan.conversationId;
  const note = anew !== null && (await wasSpokenTo(ctx, id)) ? anew : null;
  if (to !== from || note !== conversation_note) await changeConversation(ctx, { record, conversationId: to, reason: "not_resumed", note });
}

async function wasSpokenTo(ctx: Pick<Context, "turns">, id: string): Promise<boolean> {
  return (await ctx.turns.list(id, {})).some(({ started_at }) => started_at !== null);
}

interface Opened {
  readonly record: SessionRecord;
  readonly pane: PaneInfo;
  readonly op: Relaunch["op"];
}

async function confirm(ctx: Context, { record, pane: opened, op }: Opened): Promise<SessionRecord> {
  const launched = await settle(ctx, { record, pane: opened });
  await ctx.reached(REACHED[op].confirmed);
  if (launched.kind === "running") {
    const { identity, pid } = launched.pane;
    const active = await recordEvent(ctx, record.id, { type: "launched", pane: identity, pid });
    await ctx.reached(REACHED[op].recorded);
    return active;
  }
  const { exit } = launched.pane;
  const error = { code: "LAUNCH_FAILED", message: exit === null ? "the program ended at once" : describeExit(exit) };
  await recordEvent(ctx, record.id, { type: "failed", error, exit, last_lines: launched.lastLines });
  throw launchFailed(record, launched);
}
