import { hasCode, isTmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { paneOf, type ScreenReading } from "../observe/observe.js";
import { UNANSWERED } from "../unanswered.js";
import { type Arrival, arrivalOf, untilArrived } from "./arrival.js";
import { isDialog, mixedUp, pressEnter } from "./press-enter.js";
import { unconfirmed, type Verdict } from "./receipt.js";
import { type AwaitedText, readScreenIfAnswered } from "./until.js";

/** A text under delivery to one terminal, whose queue the caller holds. */
export interface Typing extends AwaitedText {
  /** Meant as a command of the agent's own. */
  readonly asCommand?: boolean;
  /** The agent's form of the text, if known. */
  readonly arrives?: string;
  /** Called before Enter may be pressed, with the screen that shows the text. */
  readonly entering: (typed: ScreenReading) => Promise<void>;
}

/** Delay between a paste and Enter: if both are read in one chunk, some agents treat Enter as part of the paste. */
const ENTER_AFTER_MS = 150;
const HIDDEN_MS = 2_000;

/**
 * Pastes the text, once. `unknown` when its host did not report whether it pasted all of it. @throws the errors of `SessionHost.paste` with
 * effect none
 */
export async function pasteOnce(ctx: Pick<Context, "host">, typing: Typing): Promise<"typed" | "unknown"> {
  const { record } = typing;
  let typed = 0;
  try {
    for (const piece of piecesOf(typing)) {
      await ctx.host.paste(paneOf(record), piece);
      typed += 1;
    }
    return "typed";
  } catch (error) {
    if (typed > 0 && isTmpmError(error)) return "unknown";
    if (hasCode(error, ...UNANSWERED, "TMUX_FAILED", "RESOURCE_EXHAUSTED") && error.effect === "unknown") return "unknown";
    throw error;
  }
}

/** The pastes that make up a text, in order. */
export function piecesOf({ adapter, text, asCommand }: Pick<Typing, "adapter" | "text" | "asCommand">): readonly string[] {
  return asCommand === true ? [text] : (adapter.text?.pieces(text) ?? [text]);
}

type Submitting = Typing & { readonly before: ScreenReading; readonly pasted: "typed" | "unknown" };

/** Waits until the pasted text shows, presses Enter as a separate write, and waits until it is executed. Only Enter is ever repeated. */
export async function submitTyped(ctx: Context, typing: Submitting): Promise<Verdict> {
  const { look: typed, evidence } = await untilArrived(ctx, typing);
  const fault = faultOf(typing, { typed, evidence });
  if (fault !== null) return fault;
  if (typed.reading.draft !== null) await ctx.clock.sleep(ENTER_AFTER_MS);
  await typing.entering(typed);
  const changed = evidence === null ? null : await changedSince(ctx, { ...typing, typed });
  return changed ?? pressEnter(ctx, { ...typing, typed, arrived: evidence?.evidence ?? null });
}

/** Why Enter is not pressed; null when it is. */
function faultOf(
  typing: Submitting,
  { typed, evidence }: { readonly typed: ScreenReading; readonly evidence: Arrival | null },
): Verdict | null {
  const { reading, pane } = typed;
  if (evidence === null) {
    if (typing.pasted === "unknown") {
      return { ...unconfirmed("tmux_unanswered", "whether the text was typed is unknown, and it is not visible"), left: "" };
    }
    if (pane.exit !== null) return unconfirmed("session_ended", "the program ended before the text appeared");
    // A program without an input of its own may not show its input at all.
    const isBlind = typing.before.reading.draft === null && reading.draft === null;
    if (!isBlind) return notShown(typing, typed);
  }
  if (evidence?.kind === "mixed") return mixedUp(evidence.evidence, "Enter was not pressed");
  if (!isDialog(typed)) return null;
  const seen = ["a dialog opened before Enter was pressed", ...reading.evidence];
  return { outcome: "typed_not_submitted", reason: "dialog_opened", evidence: seen, hint: reading.hint, left: "" };
}

/** Whether the input's content is only the text: it was empty before, and anything else would be mixed. */
function notShown({ before }: Submitting, { reading }: ScreenReading): Verdict {
  const verdict = unconfirmed("not_shown", "the text did not appear in the agent's input, so Enter was not pressed");
  return before.reading.draft === "" ? { ...verdict, left: reading.draft } : verdict;
}

/** A user may type until the moment of Enter. If an unresponsive host hides it here, the wait after Enter shows it. */
async function changedSince(ctx: Context, typing: Submitting & { readonly typed: ScreenReading }): Promise<Verdict | null> {
  const now = await shownInput(ctx, typing);
  if (now === null || now.reading.draft === typing.typed.reading.draft || arrivalOf(typing, now) !== null) return null;
  if (isDialog(now)) return faultOf(typing, { typed: now, evidence: { kind: "arrived", evidence: "" } });
  if (now.reading.draft === null) return null;
  if (now.reading.draft === "") return unconfirmed("nothing_seen", "the text left the input before Enter was pressed");
  return mixedUp("the input changed after the text had arrived", "Enter was not pressed");
}

/** A list opened by a word, or a repaint, can hide the input for a moment. A program without an input hides none. */
async function shownInput(ctx: Context, typing: Submitting & { readonly typed: ScreenReading }): Promise<ScreenReading | null> {
  const hasInput = typing.before.reading.draft !== null || typing.typed.reading.draft !== null;
  const deadline = ctx.clock.now() + (hasInput ? HIDDEN_MS : 0);
  for (;;) {
    const now = await readScreenIfAnswered(ctx, typing);
    if (now === null || now.reading.draft !== null || isDialog(now) || ctx.clock.now() >= deadline) return now;
    await ctx.clock.sleep(HIDDEN_MS / 20);
  }
}
