import type { AgentAdapter } from "@tmpm/agents";
import {
  hasCode,
  isNextTurn,
  msFromTimestamp,
  type PaneIdentity,
  type Receipt,
  type SendEntry,
  type SendScreen,
  type SessionRecord,
  type TmpmError,
} from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import { settleSent } from "../comments/settle-sent.js";
import type { Context } from "../context.js";
import { expectTurn } from "../observe/expect-turn.js";
import { paneOf, readScreen } from "../observe/observe.js";
import { hasRecord, sessionRecord } from "../session-record.js";
import { squeeze } from "../squeeze.js";
import { type LeftSend, stopAgain, takeUpTurns } from "../turns/take-up.js";
import { start } from "./accept.js";
import { untilArrived } from "./arrival.js";
import { conclude, noteOrReport } from "./conclude.js";
import { conduct, verdictOf } from "./conduct.js";
import { isPassing } from "./faults.js";
import { plainText } from "./plain-text.js";
import { mixedUp, pressEnter, stillWaits, submission, submitted } from "./press-enter.js";
import { promptedBefore } from "./put-prompt.js";
import { unconfirmed, type Verdict } from "./receipt.js";
import type { Hold, Running } from "./running.js";
import { observationOf, sameScreen, screenOf } from "./send-screen.js";
import { piecesOf } from "./type-text.js";
import { until } from "./until.js";
import { waitsForEnter } from "./waits-for-enter.js";

/** How long the sender's Enter is still wanted after the text was typed. */
const FRESH_MS = 10 * 60_000;
const AGAIN_MS = 1_000;

/**
 * Resumes the last daemon's sends: a text that was certainly not typed is sent or given up, the others are checked on the screen and
 * concluded. Text is never typed again. Can be repeated: nothing is started before everything is read, and nothing twice.
 */
export async function recoverSends(ctx: Context): Promise<void> {
  const pending = (await ctx.sends.pending()).filter((entry) => ctx.deliveries.get(entry) === undefined);
  const left: Left[] = [];
  for (const entry of pending) if (await hasRecord(ctx, entry.session_id)) left.push(await leftOf(ctx, entry));
  await takeUpTurns(ctx, left);
  const commented = left.filter(({ entry }) => (entry.comments ?? []).length > 0);
  for (const session of new Set(commented.map(({ entry }) => entry.session_id))) await settleComments(ctx, session);
  for (const { entry, text, fault } of left)
    start(ctx, { entry, text: text ?? "", conduct: (running) => (text === null ? lost(ctx, { running, fault }) : takeUp(ctx, running)) });
}

/** The last daemon may have ended before it marked them. */
async function settleComments(ctx: Context, session: string): Promise<void> {
  const kept = await sessionRecord(ctx, session);
  if (kept.kind === "present") await settleSent(ctx, kept.record);
}

interface Left extends LeftSend {
  /** Why its text cannot be read. */
  readonly fault: TmpmError | null;
}

/** @throws for a resource shortage, which is independent of the text */
async function leftOf(ctx: Pick<Context, "report" | "sends">, entry: SendEntry): Promise<Left> {
  try {
    return { entry, text: await ctx.sends.text(entry), fault: null };
  } catch (error) {
    if (!hasCode(error, "STORE_DEGRADED")) throw error;
    ctx.report({ doing: `resuming send ${entry.id}`, error });
    return { entry, text: null, fault: error };
  }
}

function lost(ctx: Context, { running, fault }: { readonly running: Running; readonly fault: TmpmError | null }): Promise<Receipt> {
  const evidence = fault?.message ?? "its text is no longer stored";
  const isTyped = fault === null || running.entry().step !== "accepted";
  const verdict: Verdict = isTyped
    ? unconfirmed("interrupted", evidence)
    : { outcome: "refused", reason: "interrupted", evidence: [evidence] };
  return conclude(ctx, { running, verdict });
}

async function takeUp(ctx: Context, running: Running): Promise<Receipt> {
  const { step, background, key } = running.entry();
  if (step !== "accepted") return examine(ctx, running);
  // A caller that waited for it without a key has lost the answer permanently, and may have sent it again.
  if (background || key !== null) return conduct(ctx, running);
  const evidence = ["the daemon ended before anything was typed"];
  return conclude(ctx, { running, verdict: { outcome: "refused", reason: "interrupted", evidence } });
}

const UNEXAMINED: Hold = {
  reason: "tmux_unanswered",
  evidence: ["the daemon ended during the delivery, and its terminal was not seen since"],
  hint: null,
};

const BEHIND: Hold = {
  reason: "behind_another",
  evidence: ["the daemon ended during the delivery, and an earlier send is examined first"],
  hint: null,
};

/** Waits for its host without a limit. */
async function examine(ctx: Context, running: Running): Promise<Receipt> {
  const changes = ctx.changes.listen([running.session]);
  try {
    for (;;) {
      const isNow = isItsTime(ctx, running);
      const receipt = isNow ? await ctx.queue.run(running.session, () => examineNow(ctx, running)) : null;
      if (receipt !== null) return receipt;
      // A cancellation alone ends nothing here: the text may be typed, and only its host shows where it is.
      if (running.isLeaving()) return conclude(ctx, { running, verdict: { outcome: "held", reason: "interrupted", evidence: [] } });
      running.waitsFor(isNow ? UNEXAMINED : BEHIND);
      await changes.next(AGAIN_MS);
    }
  } finally {
    changes.close();
  }
}

/** The turn of a text that may have been typed can be over already. */
function isItsTime(ctx: Pick<Context, "turns">, { session, id }: Running): boolean {
  const lane = ctx.turns.lane(session);
  return isNextTurn(lane, id) || lane.open.every((turn) => turn.id !== id);
}

interface Examined {
  readonly running: Running;
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  readonly text: string;
  readonly screen: SendScreen;
  /** It or its turn was cancelled until now, so Enter is not pressed any more. */
  readonly isCancelled: () => boolean;
}

async function examineNow(ctx: Context, running: Running): Promise<Receipt | null> {
  const { pane, screen, as_command } = running.entry();
  const kept = await sessionRecord(ctx, running.session);
  if (kept.kind === "unknown") return null;
  const record = kept.kind === "present" && isStillIn(kept.record, pane) ? kept.record : null;
  if (record === null || screen === null) {
    return conclude(ctx, { running, verdict: unconfirmed("session_ended", "its terminal no longer exists") });
  }
  const adapter = agentOf(ctx, record);
  if (!(await answers(ctx, { record, adapter }))) return null;
  const plan = plainText(adapter, { text: running.text, asCommand: as_command });
  const { typed, altered } = plan.kind === "typed" ? plan : { typed: running.text, altered: null };
  const turn = () => ctx.turns.lane(running.session).open.find(({ id }) => id === running.id);
  const isCancelled = () => running.takenBack()?.why === "cancelled" || (turn()?.cause ?? null) !== null;
  const verdict = await judged(ctx, { running, record, adapter, text: typed, screen, isCancelled });
  const receipt = await conclude(ctx, { running, verdict, altered });
  const begun = turn();
  if (begun !== undefined && isCancelled() && receipt.outcome === "submitted")
    stopAgain(ctx, { session: running.session, generation: begun.generation });
  return receipt;
}

async function judged(ctx: Context, examined: Examined): Promise<Verdict> {
  const { running, record } = examined;
  const conversation = ctx.host.conversation(paneOf(record));
  if (conversation !== null) return verdictOf(() => promptedBefore({ running, record, conversation }));
  const { step, as_command } = running.entry();
  const verdict = await verdictOf(() => (step === "entering" ? entered(ctx, examined) : pasted(ctx, examined)));
  if (verdict.outcome === "submitted" && !as_command) expectTurn(ctx, { record, atMs: msFromTimestamp(running.entry().updated_at) });
  return { ...verdict, evidence: ["the daemon ended during the delivery", ...verdict.evidence] };
}

function isStillIn(record: SessionRecord, pane: PaneIdentity | null): boolean {
  const same = record.pane?.pane_id === pane?.pane_id && record.pane?.server_pid === pane?.server_pid;
  return record.state === "active" && same && record.pane?.server_start === pane?.server_start;
}

async function answers(ctx: Context, session: { readonly record: SessionRecord; readonly adapter: AgentAdapter }): Promise<boolean> {
  try {
    await readScreen(ctx, session);
    return true;
  } catch (error) {
    if (hasCode(error, "PANE_GONE", "PANE_FOREIGN")) return true;
    if (isPassing(error)) return false;
    throw error;
  }
}

/** The text may be in the input; Enter was not pressed. */
async function pasted(ctx: Context, examined: Examined): Promise<Verdict> {
  const { running, screen } = examined;
  const before = observationOf(screen);
  const { look: now, evidence } = await untilArrived(ctx, { ...examined, before: { observation: before } });
  if (evidence?.kind === "mixed") return mixedUp(evidence.evidence, "Enter was not pressed");
  if (evidence !== null) {
    const why = unwanted(ctx, examined);
    if (why !== null) return { ...waiting(evidence.evidence, why), left: now.reading.draft };
    // The previous daemon may have ended before it was taken.
    if (waitsForEnter(now, examined.text)) await ctx.turnTrees.begins(examined.record, running.id);
    await noteOrReport(ctx, { running, change: { step: "entering", screen: screenOf(now.observation) } });
    return pressEnter(ctx, { ...examined, typed: now, arrived: evidence.evidence });
  }
  // A visible, empty input would show the text.
  if (now.reading.draft === "" && sameScreen(before, now.observation)) {
    return {
      outcome: "refused",
      reason: "interrupted",
      evidence: ["its input is empty and the screen is unchanged, so nothing was typed"],
    };
  }
  return { ...unconfirmed("interrupted", "the text is not visible"), left: firstPieces(now.reading.draft, examined) };
}

/** A draft that consists of the first pastes of the text, after a crash before the others; null if a user may have written it. */
function firstPieces(draft: string | null, { running, adapter, text }: Examined): string | null {
  if (draft === null || draft === "") return null;
  const pieces = piecesOf({ adapter, text, asCommand: running.entry().as_command });
  const shown = squeeze(draft);
  return pieces.some((_, index) => squeeze(pieces.slice(0, index).join("")) === shown) ? draft : null;
}

/** Enter may have been pressed. */
async function entered(ctx: Context, examined: Examined): Promise<Verdict> {
  const { running, adapter, screen } = examined;
  const observation = observationOf(screen);
  const entering = {
    ...examined,
    asCommand: running.entry().as_command,
    typed: { observation, reading: adapter.read(observation) },
    arrived: "the text was seen in the input",
  };
  const since = msFromTimestamp(running.entry().updated_at);
  const gone = await until(ctx, examined, (now) => submission(ctx, { entering, now, since }));
  if (gone.evidence !== null) return submitted(entering, [gone.evidence.text], gone.evidence.reason);
  if (!stillWaits(entering, gone.look)) return unconfirmed("interrupted", "the result is unknown");
  const why = unwanted(ctx, examined);
  return why === null ? pressEnter(ctx, entering) : { ...waiting(entering.arrived, why), left: gone.look.reading.draft };
}

/** Why Enter is not pressed although the text waits for it; null when it is. */
function unwanted(ctx: Pick<Context, "clock">, { running, isCancelled }: Examined): string | null {
  if (isCancelled()) return "it was cancelled before Enter was seen to act";
  const isFresh = ctx.clock.now() - msFromTimestamp(running.entry().updated_at) <= FRESH_MS;
  return isFresh ? null : "too long ago to press Enter automatically";
}

function waiting(evidence: string, why: string): Verdict {
  return { outcome: "typed_not_submitted", reason: "enter_ignored", evidence: [evidence, why] };
}
