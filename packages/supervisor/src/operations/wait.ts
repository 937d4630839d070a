import {
  type Activity,
  type ActivityState,
  invalidState,
  msFromTimestamp,
  type SendReason,
  type SessionRecord,
  TmpmError,
} from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { turnFacts } from "../turns/turn-facts.js";

export interface WaitInput {
  readonly session: string;
  /** The states to wait for; any of them ends the wait. `exited`: the session's program has ended, also one that never ran. */
  readonly until: WaitTarget | readonly WaitTarget[];
  readonly timeout_ms: number;
  /** Ends the wait early, as at its timeout. */
  readonly signal?: AbortSignal | undefined;
}

export interface WaitManyInput extends Omit<WaitInput, "session"> {
  readonly sessions: readonly string[];
  /** Whether one of several sessions is enough. */
  readonly mode: "any" | "all";
  /** Returns which sessions were in one of the states between the caller's last look and this wait. */
  readonly before?: (ids: readonly string[]) => Promise<Iterable<string>>;
}

/** `question`: it asks a question of its own. */
export type WaitTarget = Exclude<ActivityState, "unknown"> | "question";

/** An agent idle for this long is not between two steps. */
export const STEADY_MS = 150;
/** Events report most changes; polling finds the rest. */
const RELOOK_MS = 2_000;

/** Reasons for a held prompt that only an action of the user ends. */
const NEEDS_USER: ReadonlySet<SendReason> = new Set(["dialog", "draft", "copy_mode", "paused", "budget"]);

/**
 * Resolves when the session is in the state. A session with an open turn is not idle, unless only the user can release its prompt.
 * @throws TIMEOUT with its activity; INVALID_STATE when the state is no longer possible
 */
export async function wait(ctx: Context, { session, ...rest }: WaitInput): Promise<SessionFacts> {
  const [facts] = await waitMany(ctx, { ...rest, sessions: [session], mode: "all" });
  if (facts === undefined) throw new TypeError("a wait for one session ends with one");
  return facts;
}

/** Resolves with the sessions in the state: all of them, or the first of several with `any`. @throws like `wait` */
export async function waitMany(ctx: Context, input: WaitManyInput): Promise<readonly SessionFacts[]> {
  const targets = [input.until].flat();
  const ids = await idsOf(ctx, input.sessions);
  const started = ctx.clock.now();
  const passed = new Set<string>();
  const listening = ctx.changes.listen(ids, (event) => {
    const isThere =
      event.type === "session_activity_changed" &&
      event.activity.state !== "idle" &&
      targets.some((target) => target === event.activity.state);
    if (isThere) passed.add(event.session_id);
  });
  input.signal?.addEventListener("abort", listening.ring, { once: true });
  try {
    for (const id of (await input.before?.(ids)) ?? []) passed.add(id);
    await Promise.all(ids.map((id) => ctx.looks.since(id, started)));
    for (;;) {
      const standings = await Promise.all(ids.map((id) => standingOf(ctx, { id, targets, passed })));
      const met = metBy(standings, input.mode);
      if (met !== null) return met;
      refuseHopeless(standings, { targets, mode: input.mode });
      const left = started + input.timeout_ms - ctx.clock.now();
      if (left <= 0 || input.signal?.aborted === true) throw timedOut(ctx, { standings, targets });
      await listening.next(Math.max(1, Math.min(left, pauseMs(standings))));
      await Promise.all(standings.map((standing) => observeAgain(ctx, standing)));
    }
  } finally {
    input.signal?.removeEventListener("abort", listening.ring);
    listening.close();
  }
}

async function idsOf(ctx: Context, sessions: readonly string[]): Promise<readonly string[]> {
  const records = await Promise.all(sessions.map((session) => findSession(ctx, session)));
  return [...new Set(records.map(({ id }) => id))];
}

/** `unsteady`: first seen a moment ago. `hopeless`: the session is over, and its end was not waited for. */
interface Standing {
  readonly kind: "met" | "unsteady" | "waiting" | "hopeless";
  readonly record: SessionRecord;
  readonly facts: SessionFacts;
}

interface Wanted {
  readonly id: string;
  readonly targets: readonly WaitTarget[];
  /** Sessions that were in the state since the wait began, if only for a moment. */
  readonly passed: ReadonlySet<string>;
}

async function standingOf(ctx: Context, wanted: Wanted): Promise<Standing> {
  const record = await findSession(ctx, wanted.id);
  const facts = factsOf(ctx, record);
  const { activity } = facts;
  const isWanted = wanted.targets.some((target) => target === activity.state);
  if (wanted.passed.has(wanted.id)) return { kind: "met", record, facts };
  if (record.state !== "active" && record.state !== "provisioning") {
    return { kind: isWanted || wanted.targets.includes("exited") ? "met" : "hopeless", record, facts };
  }
  if (wanted.targets.includes("question") && facts.question !== null) return { kind: "met", record, facts };
  if (!isWanted || (activity.state === "idle" && isPrompted(ctx, wanted.id))) return { kind: "waiting", record, facts };
  return { kind: activity.state !== "idle" || ageMs(ctx, activity) >= STEADY_MS ? "met" : "unsteady", record, facts };
}

/** Whether a turn has no reported outcome yet. A prompt that only the user can release does not count. */
function isPrompted(ctx: Context, id: string): boolean {
  const [next] = ctx.turns.lane(id).open;
  if (next === undefined) return ctx.turns.isConcluding(id);
  const { held } = turnFacts(ctx, next);
  return held === null || !NEEDS_USER.has(held.reason);
}

function metBy(standings: readonly Standing[], mode: WaitManyInput["mode"]): readonly SessionFacts[] | null {
  const met = standings.filter(({ kind }) => kind === "met").map(({ facts }) => facts);
  const enough = mode === "any" ? met.length > 0 : met.length === standings.length;
  return enough ? met : null;
}

function refuseHopeless(
  standings: readonly Standing[],
  { targets, mode }: { readonly targets: readonly WaitTarget[]; readonly mode: WaitManyInput["mode"] },
): void {
  const hopeless = standings.filter(({ kind }) => kind === "hopeless");
  const [first] = hopeless;
  if (first === undefined || (mode === "any" && hopeless.length < standings.length)) return;
  throw invalidState(first.record, { verb: `wait for '${targets.join("' or '")}' of`, allowed: ["active"] });
}

function pauseMs(standings: readonly Standing[]): number {
  return standings.some(({ kind }) => kind === "unsteady") ? STEADY_MS : RELOOK_MS;
}

async function observeAgain(ctx: Pick<Context, "clock" | "looks" | "observations">, { kind, record, facts }: Standing): Promise<void> {
  if (record.state !== "active" || kind === "met") return;
  const { since, observed_at } = facts.activity;
  const due = kind === "unsteady" ? msFromTimestamp(since) + STEADY_MS : msFromTimestamp(observed_at) + RELOOK_MS;
  const now = ctx.observations.get(record.id)?.activity;
  const seenAt = now === undefined ? 0 : msFromTimestamp(now.observed_at);
  if (ctx.clock.now() >= due && seenAt < due) await ctx.looks.since(record.id, due);
}

function ageMs(ctx: Pick<Context, "clock">, { since }: Activity): number {
  return ctx.clock.now() - msFromTimestamp(since);
}

interface Late {
  readonly standings: readonly Standing[];
  readonly targets: readonly WaitTarget[];
}

function timedOut(ctx: Pick<Context, "clock">, { standings, targets }: Late): TmpmError {
  const missing = standings.filter(({ kind }) => kind !== "met");
  const wanted = targets.join(" or ");
  const described = missing.slice(0, 5).map(({ record, facts }) => `${record.name} ${describe(ctx, facts.activity)}`);
  const more = missing.length > 5 ? `, and ${missing.length - 5} more` : "";
  const [only] = missing;
  return new TmpmError("TIMEOUT", `not ${wanted} in time: ${described.join(", ")}${more}`, {
    ...(only?.facts.hint == null || missing.length > 1 ? {} : { hint: only.facts.hint }),
    details: { wanted: targets, ...(only === undefined ? {} : detailsOf(only)), sessions: missing.map(detailsOf) },
  });
}

function detailsOf({ record, facts }: Standing) {
  const { state: activity, since, evidence } = facts.activity;
  return { id: record.id, name: record.name, state: record.state, activity, since, evidence };
}

function describe(ctx: Pick<Context, "clock">, activity: Activity): string {
  const seconds = Math.max(0, Math.round(ageMs(ctx, activity) / 1000));
  const [evidence] = activity.evidence;
  return `has been ${activity.state} for ${seconds} s${evidence === undefined ? "" : ` (${evidence})`}`;
}
