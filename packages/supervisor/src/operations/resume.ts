import { hasCode, invalidState, type SessionRecord } from "@tmpm/core";
import type { PaneInfo } from "@tmpm/tmux-driver";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { launchFailed, openTerminal, requireDirectory, settle, workingDirectory } from "../launch.js";
import { describeExit } from "../observations.js";
import { clearIntent, recordEvent, recordIntent } from "../record-change.js";

/**
 * Launches a stopped or errored session again: the same agent, directory and conversation.
 * @throws INVALID_STATE, DIRECTORY_NOT_FOUND with nothing started, AGENT_NOT_INSTALLED, LAUNCH_FAILED, and what driver and store throw
 */
export async function resume(
  ctx: Context,
  input: { readonly session: string; readonly search_path?: string | undefined },
): Promise<SessionFacts> {
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    const record = await findSession(ctx, id);
    if (record.state !== "stopped" && record.state !== "errored")
      throw invalidState(record, { verb: "resume", allowed: ["stopped", "errored"] });
    await requireDirectory(ctx, workingDirectory(record));
    const plan = await planResume(ctx, { record, searchPath: input.search_path });
    const config = input.search_path === undefined ? {} : { search_path: input.search_path };
    const intended = await recordIntent(ctx, { id, op: "resume", step: "open", config });
    await ctx.reached("resume.intended");
    const pane = await open(ctx, { record: intended, plan });
    await ctx.reached("resume.opened");
    return factsOf(ctx, await confirm(ctx, { record: intended, pane }));
  });
}

function planResume(ctx: Context, request: { record: SessionRecord; searchPath: string | undefined }) {
  const { record } = request;
  const path = request.searchPath ?? record.agent_config.search_path;
  return ctx.agent(record.agent).launch({
    sessionId: record.id,
    cwd: workingDirectory(record),
    prompt: null,
    conversationId: record.conversation_id,
    config: record.agent_config,
    env: { ...ctx.settings.sessionEnv, ...(path === undefined ? {} : { PATH: path }) },
    newId: ctx.newId,
  });
}

async function open(ctx: Context, launch: Parameters<typeof openTerminal>[1]): Promise<PaneInfo> {
  try {
    return await openTerminal(ctx, launch);
  } catch (error) {
    // A launch that may still happen keeps its intent, for reconcile to decide.
    if (hasCode(error, "TMUX_UNRESPONSIVE")) throw error;
    await clearIntent(ctx, launch.record.id);
    throw error;
  }
}

async function confirm(ctx: Context, opened: { record: SessionRecord; pane: PaneInfo }): Promise<SessionRecord> {
  const launched = await settle(ctx, opened);
  await ctx.reached("resume.confirmed");
  const { id } = opened.record;
  if (launched.kind === "running") {
    const active = await recordEvent(ctx, id, { type: "launched", pane: launched.pane.identity, pid: launched.pane.pid });
    await ctx.reached("resume.recorded");
    return active;
  }
  const { exit } = launched.pane;
  const error = { code: "LAUNCH_FAILED", message: exit === null ? "the program ended at once" : describeExit(exit) };
  await recordEvent(ctx, id, { type: "failed", error, exit, last_lines: launched.lastLines });
  throw launchFailed(opened.record, launched);
}
