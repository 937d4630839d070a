import {
  type Activity,
  type ContextFill,
  compareTimestamps,
  type Decision,
  isTerminal,
  msFromTimestamp,
  type Question,
  type Report,
  type SessionRecord,
  type ThoughtSummary,
  type Timestamp,
  type TokenCounts,
  type TransportHealth,
  timestampFromMs,
  usedTokens,
  waitingTurns,
} from "@tmpm/core";
import type { PlacedTheme } from "@tmpm/workspace";
import type { Context } from "./context.js";
import { isTheirs } from "./discovery/bind-pane.js";
import { workingDirectory } from "./launch/launch.js";
import { newestReport, openQuestion } from "./messages/message-registry.js";
import { believedActivity, type SessionObservation } from "./observe/observations.js";
import { thoughtSummary } from "./thoughts/thought-summary.js";
import { type TurnFacts, turnFacts } from "./turns/turn-facts.js";

/** A session in the supervisor's responses: the record, with current beliefs. */
export interface SessionFacts {
  readonly record: SessionRecord;
  readonly activity: Activity;
  readonly viewers: number;
  /** Its open decision; null without one. */
  readonly decision: Decision | null;
  /** Its own question to the user, the longest waiting of several; null without one. */
  readonly question: Question | null;
  /** Its last report; null without one. */
  readonly report: Report | null;
  /** Running sub-agents, as far as the agent reports them. */
  readonly delegations: number;
  /** Its running turn; null when there is none. */
  readonly turn: TurnFacts | null;
  /** Number of prompts queued for it. */
  readonly queued: number;
  readonly hint: string | null;
  /** Its usage so far; null when nothing was counted. */
  readonly usage: { readonly tokens: TokenCounts; readonly context: ContextFill | null } | null;
  readonly thought: ThoughtSummary;
  /** The colours of its repository, and the directory that they belong to; null outside a repository. */
  readonly theme: PlacedTheme | null;
  /** The program in the foreground of its terminal; null while unknown. */
  readonly currentCommand: string | null;
  /** The last skill used by its agent; null when none was reported. */
  readonly lastSkill: string | null;
  /** It runs, but its last look has expired. */
  readonly isStale: boolean;
  readonly transport: TransportHealth;
  /** Why its record is unreadable, so that its last known version is shown; null when readable. */
  readonly unreadable: string | null;
  /** Its directory was missing at the last check. */
  readonly directoryGone: boolean;
  /** When it was last observed running. */
  readonly lastSeen: Timestamp;
}

export function factsOf(ctx: Context, record: SessionRecord): SessionFacts {
  const observed = record.state === "active" ? ctx.observations.get(record.id) : undefined;
  const known = ctx.observations.known(record.id);
  const activity = believedActivity(record, { known, nowMs: ctx.clock.now(), beliefMs: ctx.settings.beliefMs });
  const decision = record.state === "active" ? known.asked.open : null;
  const messages = ctx.messages.of(record.id);
  const question = openQuestion(messages);
  const directoryGone = !isTerminal(record) && ctx.directories.isGone(workingDirectory(record));
  return {
    record,
    activity,
    viewers: observed?.pane.viewers ?? 0,
    decision,
    question,
    report: newestReport(messages),
    delegations: known.track.subagents.size,
    ...turnsOf(ctx, record.id),
    hint:
      decision === null
        ? (questionHint(record, question) ?? hintOf(ctx, { record, directoryGone, seen: observed?.reading.hint ?? null }))
        : answerHint(record.name, decision),
    usage: usageOf(ctx, record.id),
    thought: thoughtSummary(ctx, { record, activity, viewers: observed?.pane.viewers ?? 0 }),
    unreadable: ctx.store.unreadable(record.id)?.reason ?? null,
    directoryGone,
    theme: ctx.themes.of(record),
    ...transportOf(ctx, { record, observed: observed ?? null }),
    lastSkill: ctx.observations.skill(record.id),
    lastSeen:
      latest(observed?.activity.observed_at ?? null, heardAt(known.track.heardMs)) ??
      latest(record.last_seen_at, record.last_activity_at) ??
      record.updated_at,
  };
}

/** How far the shown state can be trusted (swimmers 1.2). */
function transportOf(ctx: Context, { record, observed }: { readonly record: SessionRecord; readonly observed: SessionObservation | null }) {
  const { state, pane } = record;
  if (state !== "active" || pane === null) return { currentCommand: null, isStale: state === "active", transport: "disconnected" } as const;
  const silent = ctx.hookReports.silences.of(ctx.host.at(pane).place) !== null;
  const seenMs = observed === null ? null : msFromTimestamp(observed.activity.observed_at);
  return {
    currentCommand: observed?.pane.command ?? null,
    isStale: seenMs === null || ctx.clock.now() - seenMs > ctx.settings.beliefMs,
    transport: silent ? "degraded" : "healthy",
  } as const;
}

function turnsOf(ctx: Pick<Context, "deliveries" | "observations" | "turns">, session: string): Pick<SessionFacts, "turn" | "queued"> {
  const lane = ctx.turns.lane(session);
  const working = lane.open.find(({ state }) => state !== "queued");
  return { turn: working === undefined ? null : turnFacts(ctx, working), queued: waitingTurns(lane).length };
}

function usageOf(ctx: Pick<Context, "usage">, session: string): SessionFacts["usage"] {
  const used = ctx.usage.registry.get(session);
  return used === null || used.days.length === 0 ? null : { tokens: usedTokens(used), context: used.context };
}

function heardAt(ms: number | null): Timestamp | null {
  return ms === null ? null : timestampFromMs(ms);
}

interface Hinted {
  readonly record: SessionRecord;
  readonly directoryGone: boolean;
  /** The request on its screen. */
  readonly seen: string | null;
}

function hintOf(ctx: Pick<Context, "clock" | "creating">, { record, directoryGone, seen }: Hinted): string | null {
  const making = ctx.creating.steps.get(record.id);
  if (making !== undefined) return making;
  if (isTheirs(record)) return "Another program runs it, in an unknown terminal.";
  return directoryGone ? goneHint(record) : (seen ?? restingHint(record) ?? resumedHint(record, ctx.clock.now()));
}

function goneHint({ name, state, workspace }: SessionRecord): string {
  const cure =
    workspace === null
      ? `if it was moved, \`tmpm set ${name} --cwd DIR\` sets the new location`
      : `${state === "active" ? `stop it, then ` : ""}\`tmpm resume ${name} --recreate\` recreates it`;
  return `Its directory no longer exists; ${cure}.`;
}

function restingHint({ name, state, stop_cause }: SessionRecord): string | null {
  if (state !== "stopped" || stop_cause !== "resume_flapping") return null;
  return `It kept ending soon after each restart, so it is not restarted; \`tmpm resume ${name}\` tries again.`;
}

/** How long an automatic launch is pointed out, in ms. */
const RESUMED_MS = 10 * 60_000;

function resumedHint({ name, state, auto_resume, launched_at }: SessionRecord, nowMs: number): string | null {
  const last = auto_resume?.attempts.at(-1)?.launched_at ?? null;
  if (state !== "active" || last === null || last !== launched_at || nowMs - msFromTimestamp(last) > RESUMED_MS) return null;
  return `It ended and was restarted automatically; \`tmpm stop ${name}\` ends it for good.`;
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

function questionHint({ name, state }: SessionRecord, question: Question | null): string | null {
  if (question === null || state !== "active") return null;
  return `Answer it with \`tmpm answer ${name} ${question.choices.length === 0 ? "TEXT" : "--choice N"}\`.`;
}
