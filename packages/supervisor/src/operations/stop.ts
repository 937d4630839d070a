import { type CancelCause, invalidState, isTerminal, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { leaveAtRest } from "../housekeeping/auto-resume-plan.js";
import { endProgram, requireAnswer } from "../launch/end-program.js";
import { forget } from "../observe/learn.js";
import { recordChange, recordIntent } from "../record-change.js";
import { type AsSeen, requireRev } from "../require-rev.js";
import { closingTurns } from "../turns/closing-turns.js";

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
 * Asks the agent to exit, ends its whole process tree, proves it gone; keeps record and directory. Idempotent, and also possible with a
 * full disk. @throws INVALID_STATE for finished sessions
 */
export async function stop(
  ctx: Context,
  input: AsSeen & { readonly session: string; readonly grace_ms?: number | undefined; readonly reason?: StopReason },
): Promise<Stopped> {
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    requireRev(await findSession(ctx, id), input);
    return stopNow(ctx, {
      id,
      graceMs: input.grace_ms ?? ctx.settings.graceMs,
      ...(input.reason === undefined ? {} : { reason: input.reason }),
    });
  });
}

/** Likewise, for a caller that already holds the session's queue. */
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
  const record = await recordIntent(ctx, { id: before.id, op: "stop", step: "end", anyway: true });
  await ctx.reached("stop.intended");
  const reached = { asked: "stop.asked", killed: "stop.killed" } as const;
  const cause = request.cause ?? "admin_kill";
  const lastDirectory = await directoryOf(ctx, record);
  const { survivors, exit, lastLines, left_alone } = await closingTurns(ctx, { session: record.id, cause }, () =>
    endProgram(ctx, { record, graceMs: request.graceMs, reached }),
  );
  const event = { type: "stopped", cause: "deliberate", exit, last_lines: lastLines } as const;
  const also = (current: SessionRecord) => ({ last_cwd: lastDirectory ?? current.last_cwd });
  const after = await recordChange(ctx, { id: record.id, change: () => event, also, anyway: true });
  forget(ctx, after);
  await ctx.reached("stop.recorded");
  const reason = left_alone === null ? (request.reason ?? "asked") : "left_alone";
  // Its children may have to end with it.
  ctx.sweepRequests.notify();
  ctx.emit({ type: "session_stopped", at: after.updated_at, session_id: after.id, cause: "deliberate", survivors: [...survivors], reason });
  return { session: factsOf(ctx, after), survivors, left_alone };
}

/** The program's directory before its end; null when unknown. */
async function directoryOf(ctx: Context, { pane }: SessionRecord): Promise<string | null> {
  if (pane === null) return null;
  const [directory = null] = await ctx.host.directories([pane]);
  return directory;
}
