import type { ReadLimit } from "@tmpm/agents";
import { type Activity, type ActivityState, type LimitSource, msFromTimestamp, timestampFromMs, type UsageLimit } from "@tmpm/core";
import type { Edge, Level } from "./evidence.js";
import { isQuestion, type Track } from "./track.js";

/**
 * How long an edge outweighs contradicting looks, in ms: agents report a change up to 0.7 s before they draw it, and busy machines draw
 * late.
 */
export const HOLD_MS = 3_000;

/** How long an edge is believed while looks show nothing, in ms. */
export const ALONE_MS = 300_000;

/** Minimum confidence of a conclusive look. */
const CONCLUSIVE_CONFIDENCE = 0.4;

const HOOK_CONFIDENCE = 0.9;
const BOTH_CONFIDENCE = 0.97;
const PROMPT_CONFIDENCE = 0.6;

export interface BelieveOptions {
  readonly nowMs: number;
  /** Age at which a look is no longer believed. */
  readonly beliefMs: number;
}

/**
 * The believed activity of a session. Always expires: without new edges, looks decide within `HOLD_MS`, and without looks it is unknown
 * within `ALONE_MS`.
 */
export function believe(track: Track, options: BelieveOptions): Activity | null {
  const edge = rulingEdge(track, options);
  if (edge !== null) return fromEdge(track, edge);
  if (track.level === null) return null;
  const seen = fromLevel(track, { ...options, level: track.level });
  return waits(track, options) && (seen.state === "idle" || seen.state === "errored") ? fromPrompt(track, { seen }) : seen;
}

/** A believed edge, and until when. */
export interface RulingEdge {
  readonly edge: Edge & { readonly state: ActivityState };
  readonly untilMs: number;
}

/** The edge that outweighs the looks; null when looks decide. */
export function rulingEdge({ edge, met, level, pending }: Track, { nowMs, beliefMs }: BelieveOptions): RulingEdge | null {
  if (edge === null || edge.state === null || met || level?.state === "exited") return null;
  // The end of a turn does not concern a later prompt.
  if (edge.state !== "working" && pending !== null && edge.atMs < pending.atMs) return null;
  // Tools and sub-agents may continue while another one asks.
  if (edge.state === "working" && level !== null && isQuestion(level.state)) return null;
  const untilMs = edge.atMs + patience({ edge, level, beliefMs });
  return nowMs < untilMs ? { edge: { ...edge, state: edge.state }, untilMs } : null;
}

/** A prompt was entered, and its turn may be about to begin. */
export function waits({ pending }: Track, { nowMs }: Pick<BelieveOptions, "nowMs">): boolean {
  return pending !== null && nowMs < pending.untilMs;
}

function fromPrompt({ pending, belief }: Track, { seen }: { readonly seen: Activity }): Activity {
  if (pending === null) return seen;
  return {
    ...seen,
    state: "working",
    confidence: PROMPT_CONFIDENCE,
    since: sinceOf(belief, { state: "working", atMs: pending.atMs }),
    expires_at: timestampFromMs(pending.untilMs),
    limit: null,
    evidence: ["a prompt was submitted, and its turn has not visibly begun", `the last observation showed ${seen.state}`],
  };
}

function patience({ edge, level, beliefMs }: { readonly edge: Edge; readonly level: Level | null; readonly beliefMs: number }): number {
  if (level === null || level.atMs < edge.atMs) return beliefMs;
  return isConclusive(level) ? HOLD_MS : ALONE_MS;
}

function isConclusive({ state, confidence }: Level): boolean {
  return state !== "unknown" && confidence >= CONCLUSIVE_CONFIDENCE;
}

function fromEdge({ level, belief }: Track, { edge, untilMs }: RulingEdge): Activity {
  const shown = level === null ? "nothing has been observed yet" : `the last observation showed ${level.state}`;
  return {
    state: edge.state,
    source: edge.source,
    confidence: HOOK_CONFIDENCE,
    since: sinceOf(belief, { state: edge.state, atMs: edge.atMs }),
    observed_at: timestampFromMs(edge.atMs),
    expires_at: timestampFromMs(untilMs),
    evidence: [edge.what, shown],
    limit: limitOf(limitFrom(edge), belief),
  };
}

function fromLevel({ edge, belief }: Track, { level, nowMs, beliefMs }: BelieveOptions & { readonly level: Level }): Activity {
  const expiresMs = level.atMs + beliefMs;
  const agrees = edge !== null && edge.state === level.state;
  const seen: Activity = {
    state: level.state,
    source: level.source,
    confidence: agrees ? Math.max(level.confidence, BOTH_CONFIDENCE) : level.confidence,
    since: sinceOf(belief, { state: level.state, atMs: beganMs(level, belief) }),
    observed_at: timestampFromMs(level.atMs),
    expires_at: timestampFromMs(expiresMs),
    evidence: [...level.evidence, ...(agrees ? [edge.what] : [])],
    limit: limitOf(betterKnown(agrees ? limitFrom(edge) : null, limitFrom(level)), belief),
  };
  if (nowMs < expiresMs) return seen;
  const evidence = [`last seen as ${level.state} at ${seen.observed_at}`, ...level.evidence];
  return { ...seen, state: "unknown", confidence: 0, evidence };
}

interface SourcedLimit extends ReadLimit {
  readonly source: LimitSource;
}

function limitFrom({ limit, source }: Pick<Edge | Level, "limit" | "source">): SourcedLimit | null {
  if (limit === null || limit === undefined) return null;
  return { ...limit, source: source === "hook" || source === "protocol" ? source : "screen" };
}

/** The report of a limit that has the reset, from hook or screen; the hook's if both do. */
function betterKnown(limit: SourcedLimit | null, shown: SourcedLimit | null): SourcedLimit | null {
  return limit?.resetsAtMs == null ? (shown ?? limit) : limit;
}

/** A reset computed from "2h 59m" varies between looks by the agent's rounding. */
const ROUNDED_MS = 120_000;

function limitOf(limit: SourcedLimit | null, belief: Activity | null): UsageLimit | null {
  if (limit === null) return null;
  const { message, resetsAtMs, source } = limit;
  const known = belief?.limit?.resets_at ?? null;
  if (resetsAtMs === null) return { message, resets_at: null, source };
  const isKnown = known !== null && Math.abs(msFromTimestamp(known) - resetsAtMs) < ROUNDED_MS;
  return { message, resets_at: isKnown ? known : timestampFromMs(resetsAtMs), source };
}

/**
 * The state of a first look, or of one after an unknown period, dates from the terminal's last output, even across a restart of the daemon.
 */
function beganMs({ atMs, printedMs }: Level, belief: Activity | null): number {
  const known = belief !== null && belief.state !== "unknown";
  return known || printedMs === null ? atMs : Math.min(atMs, printedMs);
}

function sinceOf(belief: Activity | null, { state, atMs }: { readonly state: ActivityState; readonly atMs: number }): string {
  const at = timestampFromMs(atMs);
  if (belief === null || belief.state !== state) return at;
  return msFromTimestamp(belief.since) < atMs ? belief.since : at;
}
