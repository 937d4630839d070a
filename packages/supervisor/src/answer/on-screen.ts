import type { Reading, Decision as Shown } from "@tmpm/agents";
import { type Decision, type SessionRecord, TmpmError } from "@tmpm/core";
import { answeringWith, isSameQuestion, screenDigest } from "../activity/asked.js";
import { isQuestion } from "../activity/track.js";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { learn } from "../looks/learn.js";
import { look, paneOf } from "../looks/observe.js";
import type { AnswerKeys } from "./answer-keys.js";
import { decisionGone } from "./decision-gone.js";

export interface Asked {
  readonly record: SessionRecord;
  readonly decision: Decision;
}

const POLL_MS = 80;

/** A hook tells of a question before it is drawn. */
const DRAWN_MS = 5_000;

/** What the screen shows of the decision, now. @throws DECISION_GONE when it shows something else; SESSION_BLOCKED when it does not show the question whole */
export async function findShown(ctx: Context, asked: Asked): Promise<Reading & { readonly decision: Shown }> {
  const deadline = ctx.clock.now() + DRAWN_MS;
  for (;;) {
    const reading = await seeWhole(ctx, asked);
    if (reading !== null) return reading;
    if (ctx.clock.now() >= deadline) throw notWhole(asked);
    await ctx.clock.sleep(POLL_MS);
  }
}

/** Null while the question is not, or not wholly, on the screen. */
async function seeWhole(ctx: Context, { record, decision }: Asked): Promise<(Reading & { readonly decision: Shown }) | null> {
  const { reading } = await look(ctx, { record, adapter: agentOf(ctx, record) });
  const { open, closed } = ctx.observations.known(record.id).asked;
  if (open?.id !== decision.id) throw decisionGone({ record, open, before: closed.findLast((one) => one.decision.id === decision.id) });
  const shown = shownIn(reading);
  return shown !== null && screenDigest(shown) === open.screen_digest ? { ...reading, decision: shown } : null;
}

/** What is cut off is bound to a decision only where a hook told the whole of it. */
function shownIn({ decision, cut }: Reading): Shown | null {
  return decision ?? cut?.decision ?? null;
}

/**
 * Presses the keys one by one; before the one that decides, it looks once more, for whoever sits at the terminal may have been faster.
 * @throws DECISION_GONE with nothing decided
 */
export async function pressAnswer(ctx: Context, { record, decision, keys }: Asked & { readonly keys: AnswerKeys }): Promise<void> {
  const pane = paneOf(record);
  learn(ctx, record, (known) => ({ ...known, asked: answeringWith(known.asked, keys.label) }));
  await ctx.decisions.drained();
  try {
    for (const [index, key] of keys.keys.entries()) {
      const decides = index === keys.keys.length - 1 && keys.text === null;
      if (index > 0) await ctx.clock.sleep(POLL_MS);
      if (index > 0 && decides && (await seeWhole(ctx, { record, decision })) === null) throw notWhole({ record, decision });
      await ctx.host.keys(pane, [key]);
    }
    if (keys.text === null) return;
    if (keys.keys.length > 0) await ctx.clock.sleep(POLL_MS);
    await ctx.host.paste(pane, keys.text);
    await ctx.clock.sleep(POLL_MS);
    await ctx.host.keys(pane, ["Enter"]);
  } catch (error) {
    notAnswering(ctx, record);
    throw error;
  }
}

/**
 * An answer that a daemon was giving when it ended may have been taken: it is given time to show before another one is.
 * @throws DECISION_GONE when it was taken
 */
export async function settleInterrupted(ctx: Context, { record, decision }: Asked): Promise<void> {
  if (ctx.observations.known(record.id).asked.answering === null) return;
  const deadline = ctx.clock.now() + ctx.settings.confirmMs;
  do {
    await seeWhole(ctx, { record, decision });
    await ctx.clock.sleep(POLL_MS);
  } while (ctx.clock.now() < deadline);
  notAnswering(ctx, record);
}

/** Evidence that the question has left the screen and the agent went on; null when it did not within the time for an Enter to act. */
export async function confirmGone(
  ctx: Context,
  { record, asked }: { readonly record: SessionRecord; readonly asked: Shown },
): Promise<readonly string[] | null> {
  const deadline = ctx.clock.now() + ctx.settings.confirmMs;
  for (;;) {
    const { reading } = await look(ctx, { record, adapter: agentOf(ctx, record) });
    if (isGone(reading, asked)) return [`the question is gone: ${reading.state}`, ...reading.evidence];
    if (ctx.clock.now() >= deadline) break;
    await ctx.clock.sleep(POLL_MS);
  }
  notAnswering(ctx, record);
  return null;
}

/** Another question proves it too. Words typed as an answer change the choices that show, so only what is asked is compared. */
function isGone(reading: Reading, asked: Shown): boolean {
  const shown = shownIn(reading);
  if (shown === null) return !isQuestion(reading.state) && reading.state !== "unknown";
  return !isSameQuestion(shown, asked);
}

function notAnswering(ctx: Context, record: SessionRecord): void {
  learn(ctx, record, (known) => ({ ...known, asked: answeringWith(known.asked, null) }));
}

function notWhole({ record }: Asked): TmpmError {
  return new TmpmError("SESSION_BLOCKED", `the screen of session ${record.name} does not show the question whole`, {
    hint: `Answer it with \`tmpm attach ${record.name}\`.`,
    details: { id: record.id },
  });
}
