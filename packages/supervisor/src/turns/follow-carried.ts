import type { AgentAdapter } from "@tmpm/agents";
import {
  hasCode,
  isHandedOver,
  msFromTimestamp,
  type Receipt,
  type SessionRecord,
  type TmpmError,
  type Turn,
  timestampFromMs,
} from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { isPassing } from "../delivery/faults.js";
import { receiptOf, utf8Bytes, type Verdict } from "../delivery/receipt.js";
import { expectTurn } from "../observe/expect-turn.js";
import { readScreen, type ScreenReading } from "../observe/observe.js";
import { isLive } from "../owners/require-room.js";
import { type RecordLookup, sessionRecord } from "../session-record.js";
import { squeeze } from "../squeeze.js";
import { UNANSWERED } from "../unanswered.js";
import { acceptCarriedTurn } from "./carried-turn.js";
import { isLeft, type SubmittedText, submitLeft } from "./submit-left.js";

interface LaunchPrompt {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  readonly text: string;
}

const POLL_MS = 200;
/** The end of a dialog is usually reported at once; polling finds the rest. */
const HELD_POLL_MS = 1_000;
const BEGINS_MS = 45_000;
/** Agents that load from a slow disk take minutes; their start has no limit, only the wait for it. */
const STARTING_MS = 180_000;

/** The turn of a prompt that the launch will pass. Until the launch begins it is a queued turn like any other. */
export async function acceptCarried(
  ctx: Pick<Context, "clock" | "turns">,
  prompt: LaunchPrompt & { readonly turnId: string },
): Promise<Turn> {
  const evidence = ["the agent has not been launched yet"];
  const receipt = receiptOf({ outcome: "held", reason: "accepted", evidence }, { id: prompt.turnId, bytes: utf8Bytes(prompt.text) });
  const turn = await acceptCarriedTurn(ctx, { id: prompt.turnId, record: prompt.record, text: prompt.text, receipt });
  await ctx.turns.settled(prompt.record.id);
  return turn;
}

/**
 * The launch begins: from now on the agent may have the prompt. Durable before the launch: a crash after it leaves a turn that can be
 * followed. False when the turn is over, and the agent must not get it.
 */
export async function handOver(ctx: Pick<Context, "turns">, held: Held): Promise<boolean> {
  const { turn } = held;
  const receipt = receiptFor(held, { outcome: "held", evidence: ["the agent is launched with the prompt"] });
  const isOpen = ctx.turns.apply(turn.session_id, { type: "concluded", id: turn.id, receipt }).length > 0;
  await ctx.turns.settled(turn.session_id);
  return isOpen;
}

/** Ends the turn of a prompt that no agent was launched with. */
export function failUnlaunched(ctx: Pick<Context, "turns">, of: { readonly turn: Turn; readonly error: Pick<TmpmError, "message"> }): void {
  const { id, session_id, prompt_bytes } = of.turn;
  const evidence = ["the agent was not launched", of.error.message];
  const receipt = receiptOf({ outcome: "refused", reason: "session_ended", evidence }, { id, bytes: prompt_bytes });
  ctx.turns.apply(session_id, { type: "failed", id, reason: "session_exited", receipt });
}

/**
 * Follows a prompt passed in the agent's arguments: its turn waits until the agent is seen to start on it. Resolves with its outcome, or
 * with a dialog that precedes it; once that is answered the turn continues by itself.
 */
export async function followCarried(ctx: Context, held: Held): Promise<Receipt> {
  const sinceMs = ctx.clock.now();
  try {
    return await whileStarting(ctx, { ...held, sinceMs });
  } catch (error) {
    // The agent has the prompt anyway, and its turn must not block others indefinitely.
    followHandedOver(ctx, held);
    if (!isPassing(error)) throw error;
    return receiptFor(held, { outcome: "held", evidence: ["the agent was launched with the prompt", error.message] });
  }
}

async function whileStarting(ctx: Context, held: Held & { readonly sinceMs: number }): Promise<Receipt> {
  const { sinceMs } = held;
  let deadline = sinceMs + BEGINS_MS;
  for (;;) {
    const seen = await readScreen(ctx, held);
    if (seen.reading.state === "starting") deadline = Math.min(sinceMs + STARTING_MS, ctx.clock.now() + BEGINS_MS);
    const found = await judgeOrSubmit(ctx, { ...held, seen, isOver: ctx.clock.now() >= deadline });
    if (found !== null) return conclude(ctx, { ...held, beganMs: found.enteredMs ?? sinceMs, verdict: found.verdict });
    await ctx.clock.sleep(POLL_MS);
  }
}

/** Resumes watching a turn that the last daemon left waiting. */
export function followHandedOver(ctx: Context, { record, turn }: { readonly record: SessionRecord; readonly turn: Turn }): void {
  followHeld(ctx, { record, adapter: agentOf(ctx, record), text: turn.prompt, turn }).catch((error: unknown) =>
    ctx.report({ doing: following(record), error }),
  );
}

function following({ name }: SessionRecord): string {
  return `following the first prompt of session ${name}`;
}

interface Held extends LaunchPrompt {
  readonly turn: Turn;
}

/** Until the agent starts on the prompt, or the turn ends otherwise. */
async function followHeld(ctx: Context, held: Held): Promise<void> {
  const { record, turn } = held;
  let heldMs = ctx.clock.now();
  let isReported = false;
  const changes = ctx.changes.listen([record.id]);
  try {
    while (waits(ctx, turn)) {
      try {
        const found = await followOnce(ctx, { ...held, heldMs });
        if (found === "ended") return;
        if (found === "held") heldMs = ctx.clock.now();
      } catch (error) {
        // Nothing else ends its turn, which all later sends wait for.
        if (!isPassing(error)) throw error;
        if (!isReported && !isExpected(error)) ctx.report({ doing: following(record), error });
        isReported ||= !isExpected(error);
      }
      await changes.next(HELD_POLL_MS);
    }
  } finally {
    changes.close();
  }
}

/** `heldMs`: when the prompt was last seen to be held up, in milliseconds since 1970. */
async function followOnce(ctx: Context, { heldMs, ...held }: Held & { readonly heldMs: number }): Promise<"ended" | "held" | null> {
  const { record, turn } = held;
  const kept = await sessionRecord(ctx, record.id);
  if (hasEnded(kept)) {
    ctx.turns.apply(record.id, { type: "gone" });
    return "ended";
  }
  const current = kept.kind === "present" ? { ...held, record: kept.record } : held;
  const seen = await readScreen(ctx, current);
  const isOver = ctx.clock.now() >= heldMs + BEGINS_MS;
  const found = await judgeOrSubmit(ctx, { ...current, sinceMs: msFromTimestamp(turn.accepted_at), seen, isOver });
  if (found === null) return null;
  if (found.verdict.outcome === "held") return "held";
  conclude(ctx, { ...current, beganMs: found.enteredMs ?? heldMs, verdict: found.verdict });
  return "ended";
}

/** Its launch was rolled back, or it ended before the agent was seen to start. */
function hasEnded(kept: RecordLookup): boolean {
  if (kept.kind !== "present") return kept.kind === "absent";
  return !isLive(kept.record) && kept.record.intent === null;
}

function waits(ctx: Pick<Context, "turns">, { session_id, id }: Turn): boolean {
  return ctx.turns.lane(session_id).open.some((turn) => turn.id === id && isHandedOver(turn));
}

/** A host that does not answer may answer the next time; a missing terminal ends the turn elsewhere. */
function isExpected(error: unknown): boolean {
  return hasCode(error, ...UNANSWERED, "RESOURCE_EXHAUSTED", "PANE_GONE", "PANE_FOREIGN");
}

interface Judged extends Held {
  readonly sinceMs: number;
  readonly seen: ScreenReading;
  /** There is nothing left to wait for. */
  readonly isOver: boolean;
}

type Found = Pick<SubmittedText, "verdict"> & Partial<SubmittedText>;

/** Like `judge`; a prompt that the agent only put into its input is submitted first. */
async function judgeOrSubmit(ctx: Context, judged: Judged): Promise<Found | null> {
  const verdict = judge(ctx, judged);
  if (verdict === null) return null;
  if (verdict.outcome !== "unconfirmed" || !isLeft(judged.seen, judged.text)) return { verdict };
  return (await submitLeft(ctx, { ...judged, waits: () => waits(ctx, judged.turn) })) ?? { verdict };
}

/**
 * The evidence of a look and the hooks for the prompt; null without any. An idle input alone proves nothing: it is also shown before the
 * prompt is taken.
 */
function judge(ctx: Pick<Context, "hookReports">, { record, text, sinceMs, seen, isOver }: Judged): Omit<Verdict, "reason"> | null {
  const { reading, observation } = seen;
  const evidence = ["the prompt was an argument of the agent", ...reading.evidence];
  // A decision is part of the agent's work, and an agent that hit a limit has started.
  if (reading.state === "working" || reading.decision !== null || (reading.limit ?? null) !== null)
    return { outcome: "submitted", evidence };
  if (reading.state === "blocked" || reading.state === "awaiting_approval") {
    const hint = reading.hint ?? `Answer it with \`tmpm attach ${record.name}\`.`;
    return { outcome: "held", evidence: ["the agent has the prompt, and shows a dialog first", ...reading.evidence], hint };
  }
  if (ctx.hookReports.edges.submittedSince(record.id, { sinceMs, text }))
    return { outcome: "submitted", evidence: [...evidence, "the agent's hook reported the prompt"] };
  if (reading.draft === "" && shows(observation.lines, text))
    return { outcome: "submitted", evidence: [...evidence, "the prompt is shown above its empty input"] };
  return isOver ? { outcome: "unconfirmed", evidence: [...evidence, "its start was not seen"] } : null;
}

interface Concluded extends Held {
  /** The earliest time at which the agent can have started on it. */
  readonly beganMs: number;
  readonly verdict: Omit<Verdict, "reason">;
}

function conclude(ctx: Context, { beganMs, verdict, ...held }: Concluded): Receipt {
  const { record, turn } = held;
  const receipt = receiptFor(held, verdict);
  const { id, session_id } = turn;
  if (verdict.outcome === "held") {
    ctx.turns.apply(session_id, { type: "concluded", id, receipt });
    followHandedOver(ctx, { record, turn });
    return receipt;
  }
  if (verdict.outcome === "submitted") expectTurn(ctx, { record, atMs: beganMs });
  ctx.turns.apply(session_id, { type: "started", id, at: timestampFromMs(beganMs), receipt });
  ctx.requests.observe.notify(session_id);
  return receipt;
}

function receiptFor({ adapter, text, turn }: Held, verdict: Omit<Verdict, "reason">): Receipt {
  const altered = adapter.text === undefined ? adapter.limits.alters : null;
  return receiptOf({ reason: "carried", ...verdict }, { id: turn.id, bytes: utf8Bytes(text), altered });
}

const ENOUGH = 40;

function shows(lines: readonly string[], text: string): boolean {
  return squeeze(lines.join("")).includes(squeeze(text).slice(0, ENOUGH));
}
