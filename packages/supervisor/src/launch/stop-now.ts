import { type CancelCause, invalidState, isTerminal, type PaneInfo, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { leaveAtRest } from "../housekeeping/auto-resume-plan.js";
import { forget } from "../observe/learn.js";
import { clearIntent, recordChange, recordIntent } from "../record-change.js";
import { closingTurns } from "../turns/closing-turns.js";
import { type Ended, type Ending, endProgram, requireAnswer } from "./end-program.js";
import { requireTagged } from "./tagged-terminals.js";

/** Why a session is stopped: on request, or with its parent session. */
export type StopReason = "asked" | "parent_ended";

export interface Stopped {
  readonly session: SessionFacts;
  /** Pids of processes that did not end. */
  readonly survivors: readonly number[];
  /** Why a terminal named by the record was left unchanged; null otherwise. */
  readonly left_alone: string | null;
}

/**
 * Ends a session's program and records the stop, for a caller that holds the session's queue. An unfinished launch or stop is replaced; any
 * other unfinished operation has to be finished first (`finishFirst`). @throws INVALID_STATE for finished sessions
 */
export async function stopNow(
  ctx: Context,
  request: {
    readonly id: string;
    readonly graceMs: number;
    /** Why the turns of the session end; a stop by default. */ readonly cause?: CancelCause;
    readonly reason?: StopReason;
  },
): Promise<Stopped> {
  const before = await findSession(ctx, request.id);
  if (isTerminal(before)) throw invalidState(before, { verb: "stop", allowed: ["active", "errored", "provisioning"] });
  if (before.state === "stopped" && before.intent === null)
    return { session: factsOf(ctx, await leaveAtRest(ctx, before)), survivors: [], left_alone: null };
  await requireAnswer(ctx, before);
  const [launched, ...more] = await unrecorded(ctx, before);
  const pane = launched === undefined ? {} : { pane: launched.identity };
  const record = await recordIntent(ctx, { id: before.id, op: "stop", step: "end", ...pane, anyway: true });
  await ctx.reached("stop.intended");
  const reached = { asked: "stop.asked", killed: "stop.killed" } as const;
  const cause = request.cause ?? "admin_kill";
  const lastDirectory = await directoryOf(ctx, record);
  const ending = () => endAll(ctx, { ending: { record, graceMs: request.graceMs, reached }, more });
  const { survivors, exit, lastLines, left_alone } = await closingTurns(ctx, { session: record.id, cause }, ending);
  const event = { type: "stopped", cause: "deliberate", exit, last_lines: lastLines } as const;
  const also = (current: SessionRecord) => ({ last_cwd: lastDirectory ?? current.last_cwd });
  const change = (current: SessionRecord) => (current.state === "stopped" ? null : event);
  const stopped = await recordChange(ctx, { id: record.id, change, also, anyway: true });
  // A session that was stopped before had only an unfinished launch.
  const after = stopped.intent === null ? stopped : await leaveAtRest(ctx, await clearIntent(ctx, record.id, { pane: null }));
  forget(ctx, after);
  await ctx.reached("stop.recorded");
  const reason = left_alone === null ? (request.reason ?? "asked") : "left_alone";
  // Its children may have to end with it.
  ctx.requests.sweep.notify();
  ctx.emit({ type: "session_stopped", at: after.updated_at, session_id: after.id, cause: "deliberate", survivors: [...survivors], reason });
  return { session: factsOf(ctx, after), survivors, left_alone };
}

/** Terminals of a launch whose outcome was never recorded. @throws the host's error when it does not answer */
async function unrecorded(ctx: Pick<Context, "host">, record: SessionRecord): Promise<readonly PaneInfo[]> {
  return record.pane === null && record.intent !== null ? requireTagged(ctx, record) : [];
}

async function endAll(ctx: Context, { ending, more }: { readonly ending: Ending; readonly more: readonly PaneInfo[] }): Promise<Ended> {
  const survivors: number[] = [];
  for (const { identity } of more) survivors.push(...(await ctx.host.kill(identity, { graceMs: ending.graceMs })).survivors);
  const ended = await endProgram(ctx, ending);
  return { ...ended, survivors: [...ended.survivors, ...survivors] };
}

/** The program's directory before its end; null when unknown. */
async function directoryOf(ctx: Pick<Context, "host">, { pane }: SessionRecord): Promise<string | null> {
  if (pane === null) return null;
  const [directory = null] = await ctx.host.directories([pane]);
  return directory;
}
