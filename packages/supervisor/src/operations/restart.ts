import type { LaunchPlan } from "@tmpm/agents";
import { type ControlModel, invalidState, isTmpmError, type SessionRecord, type SessionState, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { type Ended, endProgram, requireAnswer } from "../launch/end-program.js";
import { hostAgain, requireGone } from "../launch/host-again.js";
import type { Environment } from "../launch/launch-env.js";
import { planAgain, relaunch } from "../launch/relaunch.js";
import { requireStanding } from "../launch/require-standing.js";
import { forget } from "../observe/learn.js";
import { clearIntent, recordChange, recordIntent } from "../record-change.js";
import { type AsSeen, requireRev } from "../require-rev.js";
import { requireSettled } from "../require-settled.js";
import { closingTurns } from "../turns/closing-turns.js";

export interface RestartInput extends AsSeen {
  readonly session: string;
  /** The host it resumes on; the previous one by default. */
  readonly control?: ControlModel | undefined;
  readonly grace_ms?: number | undefined;
  readonly search_path?: string | undefined;
  readonly env?: Environment | undefined;
}

export interface Restarted {
  readonly session: SessionFacts;
  /** Why a terminal named by the record was left unchanged; null otherwise. */
  readonly left_alone: string | null;
}

const FROM: readonly SessionState[] = ["active", "stopped", "errored"];

/**
 * Ends the program of a session and launches it again with the same conversation, on another host on request, as one operation. Predictable
 * failures occur before anything is ended. @throws INVALID_STATE, INVALID_ARGUMENT, HOST_UNAVAILABLE, DIRECTORY_NOT_FOUND,
 * AGENT_NOT_INSTALLED, SURVIVORS with the session stopped, LAUNCH_FAILED, and errors of driver and store
 */
export async function restart(ctx: Context, input: RestartInput): Promise<Restarted> {
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    const before = await findSession(ctx, id);
    requireRev(before, input);
    if (!FROM.includes(before.state)) throw invalidState(before, { verb: "restart", allowed: FROM });
    requireSettled(before, "restart");
    await requireStanding(ctx, before);
    const goingTo = input.control === before.control ? undefined : input.control;
    if (before.state !== "active" || goingTo !== undefined) await hostAgain(ctx, { record: before, wanted: goingTo });
    await planAgain(ctx, { record: goingOn(before, goingTo), searchPath: input.search_path, env: input.env });
    await requireAnswer(ctx, before);
    const config = input.search_path === undefined ? {} : { search_path: input.search_path };
    const record = await recordIntent(ctx, { id, op: "restart", step: "end", config, ...(goingTo === undefined ? {} : { goingTo }) });
    await ctx.reached("restart.intended");
    return endAndLaunch(ctx, { record, graceMs: input.grace_ms ?? ctx.settings.graceMs });
  });
}

/** Continues an interrupted restart. The caller holds the session's queue. */
export async function finishRestart(ctx: Context, record: SessionRecord): Promise<void> {
  try {
    if (record.intent?.step === "end") await endAndLaunch(ctx, { record, graceMs: ctx.settings.graceMs });
    else await launch(ctx, record);
  } catch (error) {
    // No caller waits for it any more, so the record has the reason.
    if (!isTmpmError(error) || error.effect === "unknown") throw error;
    const { code, message } = error;
    const failed = (current: SessionRecord) =>
      current.state === "stopped"
        ? ({ type: "failed", error: { code, message }, exit: current.exit, last_lines: current.last_lines } as const)
        : null;
    await recordChange(ctx, { id: record.id, change: failed, reason: "restart_failed" });
  }
}

async function endAndLaunch(ctx: Context, { record, graceMs }: { record: SessionRecord; graceMs: number }): Promise<Restarted> {
  const reached = { asked: "restart.asked", killed: "restart.killed" } as const;
  const ended = await closingTurns(ctx, { session: record.id, cause: "admin_kill" }, () => endProgram(ctx, { record, graceMs, reached }));
  const stopped = await recordStopped(ctx, { record, ended });
  await ctx.reached("restart.stopped");
  if (ended.survivors.length > 0) throw survived(stopped, ended.survivors);
  return { session: factsOf(ctx, await launch(ctx, stopped)), left_alone: ended.left_alone };
}

/** Stopped and about to be launched in one write, so that no crash is between the two. */
function recordStopped(ctx: Context, { record, ended }: { record: SessionRecord; ended: Ended }): Promise<SessionRecord> {
  forget(ctx, record);
  const event = { type: "stopped", cause: "deliberate", exit: ended.exit, last_lines: ended.lastLines } as const;
  const goesOn = ended.survivors.length === 0;
  return recordChange(ctx, {
    id: record.id,
    reason: "restart",
    change: (current) => (current.state === "stopped" ? null : event),
    also: (current) => ({ intent: goesOn && current.intent !== null ? { ...current.intent, step: "open" } : null }),
  });
}

async function launch(ctx: Context, record: SessionRecord): Promise<SessionRecord> {
  const { control } = goingOn(record, record.intent?.control);
  return relaunch(ctx, { record, plan: await planOrTakeBack(ctx, record), op: "restart", config: {}, control });
}

async function planOrTakeBack(ctx: Context, record: SessionRecord): Promise<LaunchPlan> {
  const after = goingOn(record, record.intent?.control);
  try {
    await requireStanding(ctx, record);
    if (after.control !== record.control) await requireGone(ctx, record);
    return await planAgain(ctx, { record: after, searchPath: undefined });
  } catch (error) {
    await clearIntent(ctx, record.id);
    throw error;
  }
}

/** The record on the host it resumes on. */
function goingOn(record: SessionRecord, control: ControlModel = record.control): SessionRecord {
  return { ...record, control };
}

function survived(record: SessionRecord, survivors: readonly number[]): TmpmError {
  return new TmpmError(
    "SURVIVORS",
    `session ${record.name} was stopped and not launched again: these processes did not end: ${survivors.join(", ")}`,
    {
      effect: "unknown",
      hint: `End them, then \`tmpm resume ${record.name}\`.`,
      details: { id: record.id, survivors },
    },
  );
}
