import type { AgentAdapter, Reading } from "@tmpm/agents";
import { msFromTimestamp, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";

/** Time after a launch when start-up dialogs no longer appear. */
const STARTS_MS = 60_000;

export interface Early {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  readonly reading: Reading;
  /** The screen has not changed for a while. */
  readonly settled: boolean;
}

/**
 * Some agents draw their input a moment before a start-up dialog covers it. Until that is ruled out the agent counts as starting, whatever
 * its input shows.
 */
export function withoutEarlyIdle(ctx: Pick<Context, "clock" | "observations">, { record, adapter, reading, settled }: Early): Reading {
  const { id } = record;
  const { firstDialogMs } = adapter.limits;
  if (firstDialogMs === undefined || !startsStill(ctx, record)) return reading;
  if (reading.state !== "idle") {
    ctx.observations.setInputMs(id, null);
    return reading;
  }
  const nowMs = ctx.clock.now();
  const shownMs = ctx.observations.inputMs(id) ?? nowMs;
  ctx.observations.setInputMs(id, shownMs);
  if (settled || nowMs - shownMs >= firstDialogMs) return reading;
  return { ...reading, state: "starting", confidence: 0.5, evidence: ["a start-up dialog may still appear", ...reading.evidence] };
}

function startsStill(ctx: Pick<Context, "clock" | "observations">, { id, state, launched_at }: SessionRecord): boolean {
  if (ctx.observations.known(id).track.account.some((line) => line.state === "working")) return false;
  return state !== "active" || launched_at === null || ctx.clock.now() - msFromTimestamp(launched_at) < STARTS_MS;
}
