import type { AgentAdapter } from "@tmpm/agents";
import { hasCode, isTmpmError, msFromTimestamp, type Receipt, type SendEntry, type SessionRecord } from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { expectTurn } from "../observe/expect-turn.js";
import { paneOf, type ScreenReading } from "../observe/observe.js";
import { sessionRecord } from "../session-record.js";
import { interruptTurns } from "../turns/interrupt-turns.js";
import { conclude, note, noteOrReport } from "./conclude.js";
import { isPassing, reasonOf } from "./faults.js";
import { holdUntilReady, patienceMs, type SendReadiness, standingAfter, standingOf } from "./hold.js";
import type { Interrupted, Waiting } from "./interrupt-first.js";
import { REMOVED, removeLeftover } from "./leftover.js";
import { misreading, plainText } from "./plain-text.js";
import { putPrompt } from "./put-prompt.js";
import { readiness } from "./readiness.js";
import { unconfirmed, type Verdict } from "./receipt.js";
import { type Hold, outlives, type Running } from "./running.js";
import { screenOf } from "./send-screen.js";
import { typeAgain } from "./type-again.js";
import { pasteOnce, submitTyped } from "./type-text.js";
import { waitsForEnter } from "./waits-for-enter.js";

const LATER_MS = 1_000;

/** Its receipt; null when it has to wait until the agent is ready; or why it cannot be typed at the moment. */
type Typed = Receipt | null | { readonly later: Hold };

/** Brings an accepted send to its one outcome: waits for its turn and for the agent, then types it. */
export async function conduct(ctx: Context, running: Running): Promise<Receipt> {
  const misread = await misreadBy(ctx, running);
  if (misread !== null) return giveUp(ctx, { running, hold: misread });
  const startedMs = ctx.clock.now();
  for (;;) {
    const held = await holdUntilReady(ctx, { running, startedMs });
    if (held.kind === "over") {
      const receipt = await giveUp(ctx, { running, hold: held.hold });
      if (held.error !== null) throw held.error;
      return receipt;
    }
    const receipt = await ctx.queue.run(running.session, () => typeNow(ctx, running));
    if (receipt === null) continue;
    if (!("later" in receipt)) return receipt;
    const { later } = receipt;
    if (ctx.clock.now() - startedMs >= patienceMs(ctx, { running, reason: later.reason })) return giveUp(ctx, { running, hold: later });
    running.waitsFor(later);
    await pause(ctx, running);
  }
}

/** Until something changes, or a moment has passed. */
async function pause(ctx: Pick<Context, "changes">, { session }: Running): Promise<void> {
  const changes = ctx.changes.listen([session]);
  try {
    await changes.next(LATER_MS);
  } finally {
    changes.close();
  }
}

/** Why the agent would read the text as something else, regardless of waiting. A missing session and failures are handled by the wait. */
async function misreadBy(ctx: Context, running: Running): Promise<Hold | null> {
  try {
    const kept = await sessionRecord(ctx, running.session);
    if (kept.kind !== "present") return null;
    const plan = plainText(agentOf(ctx, kept.record), { text: running.text, asCommand: running.entry().as_command });
    return plan.kind === "refused" ? misreading(plan.why) : null;
  } catch (error) {
    if (isPassing(error)) return null;
    throw error;
  }
}

/** A background or keyed send that its daemon did not start is made by the next one. */
async function giveUp(ctx: Context, { running, hold }: { readonly running: Running; readonly hold: Hold }): Promise<Receipt> {
  const goesOn = hold.reason === "interrupted" && outlives(running);
  const verdict: Verdict = { outcome: goesOn ? "held" : "refused", ...hold };
  return conclude(ctx, { running, verdict });
}

/** Checks once more, now that no other work runs on the session; null when it must wait again. */
async function typeNow(ctx: Context, running: Running): Promise<Typed> {
  const standing = await standingOf(ctx, running);
  if (standing.kind === "wait") return null;
  if (standing.kind === "over") {
    const receipt = await giveUp(ctx, { running, hold: standing.hold });
    if (standing.error !== null) throw standing.error;
    return receipt;
  }
  running.waitsFor(null);
  return deliver(ctx, { running, standing });
}

const NOT_INTERRUPTED: Verdict = {
  outcome: "refused",
  reason: "working",
  evidence: ["the interrupted turn did not end, so nothing was typed"],
};

const NOT_EMPTIED: Verdict = {
  outcome: "refused",
  reason: "draft",
  evidence: ["text left in the input by an earlier send could not be removed, so nothing was typed"],
};

/** Interrupting a turn may have cleared the input already. */
async function emptyInput(
  ctx: Context,
  { stopped, ...left }: Waiting & { readonly entry: SendEntry; readonly stopped: Interrupted },
): Promise<Interrupted | null> {
  if ((stopped.look.reading.draft ?? "") === "") return stopped;
  const look = await removeLeftover(ctx, left);
  return look === null ? null : { look, evidence: [...stopped.evidence, REMOVED] };
}

interface Delivering {
  readonly running: Running;
  readonly standing: Extract<SendReadiness, { kind: "ready" }>;
}

async function deliver(ctx: Context, delivering: Delivering): Promise<Typed> {
  const { running } = delivering;
  let prepared: Prepared | Receipt | null;
  try {
    prepared = await prepare(ctx, delivering);
  } catch (error) {
    return unprepared(ctx, { running, error });
  }
  return prepared === null || !("before" in prepared) ? prepared : typed(ctx, prepared);
}

/** Nothing was typed, and a full disk or a silent host passes. A caller that waits without a key gets the error. */
async function unprepared(ctx: Context, { running, error }: { readonly running: Running; readonly error: unknown }): Promise<Typed> {
  if (!outlives(running)) throw error;
  const standing = standingAfter(error, running);
  if (standing.kind === "over") return giveUp(ctx, { running, hold: standing.hold });
  holdAgain(ctx, running);
  return standing.kind === "wait" ? { later: standing.hold } : null;
}

interface Prepared {
  readonly running: Running;
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  readonly plan: Extract<ReturnType<typeof plainText>, { kind: "typed" }>;
  readonly evidence: readonly string[];
  readonly before: ScreenReading;
  /** Resolves once the work tree is read. */
  readonly tree: Promise<void>;
}

/** Everything up to the text itself; a receipt, or null to wait, when it is not typed after all. */
async function prepare(ctx: Context, { running, standing }: Delivering): Promise<Prepared | Receipt | null> {
  const { record } = standing;
  const adapter = agentOf(ctx, record);
  const plan = plainText(adapter, { text: running.text, asCommand: running.entry().as_command });
  if (plan.kind === "refused") return giveUp(ctx, { running, hold: misreading(plan.why) });
  // A caller that cancelled it during the observation was promised that nothing is typed.
  const begun = ctx.turns.apply(running.session, { type: "delivering", id: running.id });
  if (begun.length === 0)
    return giveUp(ctx, { running, hold: { reason: running.takenBack()?.why ?? "cancelled", evidence: [], hint: null } });
  const stopped = running.entry().interrupt
    ? await interruptTurns(ctx, { ...standing, adapter, cause: "superseded" })
    : { look: standing.look, evidence: [] };
  if (stopped === null) return conclude(ctx, { running, verdict: NOT_INTERRUPTED });
  const emptied = standing.left === undefined ? stopped : await emptyInput(ctx, { record, adapter, entry: standing.left, stopped });
  if (emptied === null) return conclude(ctx, { running, verdict: NOT_EMPTIED });
  const before = emptied.look;
  if (!running.entry().now && !readiness(before, { record, adapter }).ready) return holdAgain(ctx, running);
  const tree = ctx.turnTrees.begins(record, running.id);
  // It is awaited later, if at all.
  tree.catch(() => undefined);
  await note(ctx, { running, change: { step: "pasting", pane: paneOf(record), screen: screenOf(before.observation) } });
  await ctx.reached("send.pasting");
  return { running, record, adapter, plan, evidence: emptied.evidence, before, tree };
}

async function typed(ctx: Context, prepared: Prepared): Promise<Receipt | null> {
  const { running, record, adapter, plan, evidence, before, tree } = prepared;
  const conversation = ctx.host.conversation(paneOf(record));
  if (conversation !== null || !waitsForEnter(before, plan.typed)) await tree;
  if (conversation !== null)
    return put(ctx, {
      running,
      altered: plan.altered,
      evidence,
      task: () => putPrompt(ctx, { running, record, conversation, text: plan.typed }),
    });
  const typing = {
    record,
    adapter,
    text: plan.typed,
    arrives: plan.arrives,
    asCommand: running.entry().as_command,
    entering: async (look: typeof before) => {
      await tree;
      await ctx.reached("send.arrived");
      await noteOrReport(ctx, { running, change: { step: "entering", screen: screenOf(look.observation) } });
      await ctx.reached("send.entering");
    },
  };
  let pasted: "typed" | "unknown";
  try {
    pasted = await pasteOnce(ctx, typing);
  } catch (error) {
    return refusedPaste(ctx, { running, error });
  }
  await ctx.reached("send.pasted");
  const pasting = (look: typeof before) => noteOrReport(ctx, { running, change: { step: "pasting", screen: screenOf(look.observation) } });
  const verdict = await verdictOf(async () =>
    typeAgain(ctx, { typing, pasting, verdict: await submitTyped(ctx, { ...typing, before, pasted }) }),
  );
  await ctx.reached("send.confirmed");
  const { as_command, updated_at } = running.entry();
  if (verdict.outcome === "submitted" && !as_command) expectTurn(ctx, { record, atMs: msFromTimestamp(updated_at) });
  return conclude(ctx, { running, altered: plan.altered, verdict: { ...verdict, evidence: [...evidence, ...verdict.evidence] } });
}

interface Put {
  readonly running: Running;
  readonly altered: string | null;
  /** The previous observation. */
  readonly evidence: readonly string[];
  readonly task: () => Promise<Verdict>;
}

async function put(ctx: Context, { running, altered, evidence, task }: Put): Promise<Receipt | null> {
  try {
    const verdict = await task();
    return await conclude(ctx, { running, altered, verdict: { ...verdict, evidence: [...evidence, ...verdict.evidence] } });
  } catch (error) {
    return refusedPaste(ctx, { running, error });
  }
}

/** Once text may be in the terminal, a failure may have an effect, and the text may remain there. */
export async function verdictOf(deliver: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await deliver();
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return { ...unconfirmed(reasonOf(error), error.message), left: "" };
  }
}

/** Nothing was typed. If a user just began to scroll, the send waits, as before. */
async function refusedPaste(ctx: Context, refused: { readonly running: Running; readonly error: unknown }): Promise<Receipt | null> {
  const { running, error } = refused;
  if (!isTmpmError(error)) throw error;
  if (hasCode(error, "PANE_IN_MODE") && !running.entry().now) {
    await note(ctx, { running, change: { step: "accepted", pane: null, screen: null } });
    return holdAgain(ctx, running);
  }
  return conclude(ctx, { running, verdict: { outcome: "refused", reason: reasonOf(error), evidence: [error.message], hint: error.hint } });
}

function holdAgain(ctx: Pick<Context, "turns">, { session, id }: Running): null {
  ctx.turns.apply(session, { type: "held", id });
  return null;
}
