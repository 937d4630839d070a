import type { Reading, Decision as Shown } from "@tmpm/agents";
import { type Decision, type SessionRecord, TmpmError } from "@tmpm/core";
import { answeringWith, isSameQuestion, screenDigest } from "../activity/asked.js";
import { isQuestion } from "../activity/track.js";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { learn } from "../observe/learn.js";
import { readScreen } from "../observe/observe.js";
import { decisionGone } from "./decision-gone.js";

/** A reading of a screen that shows the question. */
export type ShownReading = Reading & { readonly decision: Shown };

export interface SessionDecision {
  readonly record: SessionRecord;
  readonly decision: Decision;
}

const POLL_MS = 80;

/** A hook reports a question before it is drawn. */
const DRAWN_MS = 5_000;

/**
 * The current screen of the decision. @throws DECISION_GONE when it shows something else; SESSION_BLOCKED when the question is truncated
 */
export async function findShown(ctx: Context, asked: SessionDecision): Promise<ShownReading> {
  const deadline = ctx.clock.now() + DRAWN_MS;
  for (;;) {
    const reading = await seeWhole(ctx, asked);
    if (reading !== null) return reading;
    if (ctx.clock.now() >= deadline) throw notWhole(asked);
    await ctx.clock.sleep(POLL_MS);
  }
}

/** Null while the question is missing from the screen, or incomplete. */
export async function seeWhole(ctx: Context, { record, decision }: SessionDecision): Promise<ShownReading | null> {
  const { reading } = await readScreen(ctx, { record, adapter: agentOf(ctx, record) });
  const { open, closed } = ctx.observations.known(record.id).asked;
  if (open?.id !== decision.id) throw decisionGone({ record, open, before: closed.findLast((one) => one.decision.id === decision.id) });
  const shown = shownIn(reading);
  return shown !== null && screenDigest(shown) === open.screen_digest ? { ...reading, decision: shown } : null;
}

/** A truncated question matches a decision only if a hook reported it completely. */
function shownIn({ decision, cut }: Reading): Shown | null {
  return decision ?? cut?.decision ?? null;
}

/**
 * An answer under way when the last daemon ended may have been accepted: it gets time to show before another one is given.
 * @throws DECISION_GONE when it was accepted
 */
export async function settleInterrupted(ctx: Context, { record, decision }: SessionDecision): Promise<void> {
  if (ctx.observations.known(record.id).asked.answering === null) return;
  const deadline = ctx.clock.now() + ctx.settings.confirmMs;
  do {
    await seeWhole(ctx, { record, decision });
    await ctx.clock.sleep(POLL_MS);
  } while (ctx.clock.now() < deadline);
  await noteAnswering(ctx, { record, label: null });
}

/** The screen of a question that is being answered. `unclear`: something else, without proof that the question is gone. */
export type QuestionOnScreen =
  | { readonly kind: "gone"; readonly evidence: readonly string[] }
  | { readonly kind: "stands"; readonly reading: ShownReading }
  | { readonly kind: "unclear" };

export async function standingOf(
  ctx: Context,
  { record, asked }: { readonly record: SessionRecord; readonly asked: Shown },
): Promise<QuestionOnScreen> {
  const { reading } = await readScreen(ctx, { record, adapter: agentOf(ctx, record) });
  if (isGone(reading, asked)) return { kind: "gone", evidence: [`the question is gone: ${reading.state}`, ...reading.evidence] };
  const shown = shownIn(reading);
  return shown === null ? { kind: "unclear" } : { kind: "stands", reading: { ...reading, decision: shown } };
}

/** Another question is proof too. A typed answer changes the visible choices, so only the question is compared. */
function isGone(reading: Reading, asked: Shown): boolean {
  const shown = shownIn(reading);
  if (shown === null) return !isQuestion(reading.state) && reading.state !== "unknown";
  return !isSameQuestion(shown, asked);
}

/** Records the label of the answer under way, or (null) none. Resolves once the next daemon would know. */
export async function noteAnswering(
  ctx: Context,
  { record, label }: { readonly record: SessionRecord; readonly label: string | null },
): Promise<void> {
  learn(ctx, record, (known) => ({ ...known, asked: answeringWith(known.asked, label) }));
  await ctx.decisions.drained();
}

export function notWhole({ record }: SessionDecision): TmpmError {
  return new TmpmError("SESSION_BLOCKED", `the screen of session ${record.name} does not show the whole question`, {
    hint: `Answer it with \`tmpm attach ${record.name}\`.`,
    details: { id: record.id },
  });
}
