import {
  type Activity,
  compareTimestamps,
  type Decision,
  type RepoTheme,
  type SessionRecord,
  type ThoughtSummary,
  type Timestamp,
  timestampFromMs,
  waitingTurns,
} from "@tmpm/core";
import type { Context } from "./context.js";
import { believedActivity } from "./looks/observations.js";
import { thoughtSummary } from "./thoughts/thought-summary.js";
import { type TurnFacts, turnFacts } from "./turns/turn-facts.js";

/** A session as the supervisor answers it: the record, and what is believed now. */
export interface SessionFacts {
  readonly record: SessionRecord;
  readonly activity: Activity;
  readonly viewers: number;
  /** What it waits for somebody to decide; null when nothing. */
  readonly decision: Decision | null;
  /** Sub-agents that run, as far as the agent tells of them. */
  readonly delegations: number;
  /** What it works on as a turn; null when nothing. */
  readonly turn: TurnFacts | null;
  /** How many prompts wait for it. */
  readonly queued: number;
  readonly hint: string | null;
  readonly thought: ThoughtSummary;
  /** The colours of its repository; null outside of any. */
  readonly theme: RepoTheme | null;
  /** The last proof of life. */
  readonly lastSeen: Timestamp;
}

export function factsOf(ctx: Context, record: SessionRecord): SessionFacts {
  const observed = record.state === "active" ? ctx.observations.get(record.id) : undefined;
  const known = ctx.observations.known(record.id);
  const activity = believedActivity(record, { known, nowMs: ctx.clock.now(), beliefMs: ctx.settings.beliefMs });
  const decision = record.state === "active" ? known.asked.open : null;
  return {
    record,
    activity,
    viewers: observed?.pane.viewers ?? 0,
    decision,
    delegations: known.track.subagents.size,
    ...turnsOf(ctx, record.id),
    hint:
      decision === null ? (ctx.making.get(record.id) ?? observed?.reading.hint ?? restingHint(record)) : answerHint(record.name, decision),
    thought: thoughtSummary(ctx, { record, activity, viewers: observed?.pane.viewers ?? 0 }),
    theme: record.project_path === null ? null : ctx.themes.of(record.project_path),
    lastSeen:
      latest(observed?.activity.observed_at ?? null, heardAt(known.track.heardMs)) ??
      latest(record.last_seen_at, record.last_activity_at) ??
      record.updated_at,
  };
}

function turnsOf(ctx: Context, session: string): Pick<SessionFacts, "turn" | "queued"> {
  const lane = ctx.turns.lane(session);
  const working = lane.open.find(({ state }) => state !== "queued");
  return { turn: working === undefined ? null : turnFacts(ctx, working), queued: waitingTurns(lane).length };
}

function heardAt(ms: number | null): Timestamp | null {
  return ms === null ? null : timestampFromMs(ms);
}

function restingHint({ name, state, stop_cause }: SessionRecord): string | null {
  if (state !== "stopped" || stop_cause !== "resume_flapping") return null;
  return `It kept ending soon after it was started again, so it rests; \`tmpm resume ${name}\` tries once more.`;
}

function latest(a: Timestamp | null, b: Timestamp | null): Timestamp | null {
  if (a === null || b === null) return a ?? b;
  return compareTimestamps(a, b) > 0 ? a : b;
}

function answerHint(name: string, { kind }: Decision): string {
  return kind === "approval"
    ? `Allow it once with \`tmpm approve ${name}\`, or refuse it with \`tmpm deny ${name}\`.`
    : `Answer it with \`tmpm answer ${name} --choice N\`.`;
}
