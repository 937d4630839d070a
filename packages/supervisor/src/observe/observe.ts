import type { AgentAdapter, Observation, Reading } from "@tmpm/agents";
import { type PaneIdentity, type PaneInfo, type Screen, type SessionRecord, TmpmError } from "@tmpm/core";
import type { HostScreen } from "@tmpm/host";
import { askedByScreen } from "../activity/asked.js";
import type { Level } from "../activity/evidence.js";
import { outputAfter } from "../activity/output.js";
import { withLevel } from "../activity/track.js";
import type { Context } from "../context.js";
import { withoutEarlyIdle } from "./first-dialog.js";
import { learn } from "./learn.js";
import { suspended } from "./suspended.js";

/** One observation of a session's terminal, with its adapter's reading. */
export interface ScreenReading {
  readonly observation: Observation;
  readonly reading: Reading;
  readonly pane: PaneInfo;
}

/** tmux dates output by the second: a screen read this long after its last output includes all of it. */
export const SETTLED_SECONDS = 2;

/** Captures the screen and records the observation. @throws the errors of `SessionHost.capture` */
export async function readScreen(
  ctx: Context,
  session: { readonly record: SessionRecord; readonly adapter: AgentAdapter },
): Promise<ScreenReading> {
  await ctx.recalled();
  return noteScreen(ctx, session, await ctx.host.capture(paneOf(session.record)));
}

/** Likewise for a given screen. */
export function noteScreen(
  ctx: Context,
  session: { readonly record: SessionRecord; readonly adapter: AgentAdapter },
  screen: HostScreen,
): ScreenReading {
  const nowMs = ctx.clock.now();
  const observation = observationFromScreen(screen, nowMs);
  const settled = nowMs / 1000 - screen.pane.activeAt >= SETTLED_SECONDS;
  const reading =
    screen.reading ??
    suspended(ctx, screen.pane) ??
    withoutEarlyIdle(ctx, { ...session, reading: session.adapter.read(observation), settled });
  const { id } = session.record;
  ctx.observations.setOutput(id, outputAfter(ctx.observations.output(id), { lines: screen.lines, nowMs }));
  remember(ctx, { record: session.record, reading, pane: screen.pane, settled });
  return { observation, reading, pane: screen.pane };
}

/** @throws PANE_GONE for a session without a terminal */
export function paneOf(record: SessionRecord): PaneIdentity {
  if (record.pane !== null) return record.pane;
  throw new TmpmError("PANE_GONE", `session ${record.name} has no terminal`, { details: { id: record.id } });
}

function observationFromScreen(screen: Screen, atMs: number): Observation {
  const { lines, styles, cursor, historySize, title, pane } = screen;
  return {
    lines,
    ...(styles === undefined ? {} : { styles }),
    cursor,
    historySize,
    title,
    columns: pane.columns,
    foreground: pane.foreground,
    command: pane.command,
    dead: pane.exit !== null,
    atMs,
  };
}

export interface PaneReading {
  readonly record: SessionRecord;
  readonly reading: Reading;
  readonly pane: PaneInfo;
  readonly settled: boolean;
}

export function remember(ctx: Context, seen: PaneReading): void {
  const { record, reading, pane, settled } = seen;
  const nowMs = ctx.clock.now();
  const { state, source, confidence, evidence, limit } = reading;
  const printedMs = pane.activeAt > 0 ? pane.activeAt * 1000 : null;
  const level: Level = { state, source, confidence, evidence, atMs: nowMs, printedMs, limit: limit ?? null };
  const who = { session_id: record.id, agent: record.agent, nowMs, newId: ctx.newId };
  const activity = learn(ctx, record, ({ track, asked }) => ({
    track: withLevel(track, level),
    asked: askedByScreen(asked, reading, who),
  }));
  if (activity !== null) ctx.observations.set(record.id, { activity, reading, pane, settled });
}
