import { hasCode, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { paneOf, type ScreenReading } from "../observe/observe.js";
import { squeeze } from "../squeeze.js";
import { UNANSWERED } from "../unanswered.js";
import { unconfirmed, type Verdict } from "./receipt.js";
import { type AwaitedText, until } from "./until.js";
import { wentAlong } from "./went-along.js";

const ENTERS = 3;

export type Entering = AwaitedText & {
  readonly asCommand?: boolean;
  /** The agent's form of the text, if known. */
  readonly arrives?: string;
  /** The last screen that showed it. */
  readonly typed: Pick<ScreenReading, "observation" | "reading">;
  /** Evidence that the text was seen in the input; null when it never was. */
  readonly arrived: string | null;
};

/** Presses Enter until the text has left the input; at most three times, and again only while the text is seen to wait there. */
export async function pressEnter(ctx: Context, entering: Entering): Promise<Verdict> {
  const since = ctx.clock.now();
  let mixed = false;
  const seenAfter = (now: ScreenReading): Proof | null => {
    mixed ||= isMixed(entering, now);
    return submission(ctx, { entering, now, since });
  };
  for (let enter = 1; ; enter++) {
    await pressOnce(ctx, entering.record);
    await ctx.reached("send.entered");
    const gone = await until(ctx, entering, seenAfter);
    const times = enter === 1 ? [] : [`Enter was pressed ${enter} times`];
    if (gone.evidence !== null) {
      const verdict = submitted(entering, [gone.evidence.text, ...times], gone.evidence.reason);
      return mixed || (await reportsMore(ctx, { entering, since })) ? { ...verdict, altered: MIXED } : verdict;
    }
    // Enter may still act: it would send more than the text, so another Enter is not pressed.
    if (isMixed(entering, gone.look))
      return mixedUp(...seen(entering.arrived), "Enter was pressed, and other text appeared in the input", ...times);
    const waits = stillWaits(entering, gone.look);
    if (!waits || isDialog(gone.look)) return unseen(gone.look, entering);
    if (enter === ENTERS || (gone.look.reading.draft ?? "") === "") {
      const evidence = [...seen(entering.arrived), "Enter was pressed, and the text is still in the input", ...times];
      const left = gone.look.reading.draft;
      return { outcome: "typed_not_submitted", reason: "enter_ignored", evidence, hint: pressHint(entering.record), left };
    }
  }
}

/** A prompt sent while the agent works is reported once it is executed, possibly much later. */
async function reportsMore(
  ctx: Pick<Context, "clock" | "hookReports">,
  { entering, since }: { readonly entering: Entering; readonly since: number },
): Promise<boolean> {
  const { record, arrives, asCommand, typed } = entering;
  if (arrives === undefined || asCommand === true || typed.reading.state === "working") return false;
  return wentAlong(ctx, { record, arrives, sinceMs: since });
}

/** A lost answer may hide an Enter that was pressed; the next observation decides. */
async function pressOnce(ctx: Pick<Context, "host">, record: SessionRecord): Promise<void> {
  try {
    await ctx.host.keys(paneOf(record), ["Enter"]);
  } catch (error) {
    if (!hasCode(error, ...UNANSWERED, "PANE_DEAD", "PANE_GONE", "PANE_IN_MODE")) throw error;
  }
}

interface Proof {
  readonly text: string;
  readonly reason: "hook" | "screen";
}

export function submission(
  ctx: Pick<Context, "hookReports">,
  seenNow: { readonly entering: Entering; readonly now: ScreenReading; readonly since: number },
): Proof | null {
  const { entering, now, since } = seenNow;
  const shown = entering.adapter.submitted({ typed: entering.typed.observation, now: now.observation, text: entering.text });
  if (shown !== null) return { text: shown, reason: "screen" };
  // Many commands open a view of their own in place of the input.
  const madeWay = entering.asCommand === true && (entering.typed.reading.draft ?? "") !== "" && now.reading.draft === null;
  if (madeWay) return { text: "the input was replaced by the command's output", reason: "screen" };
  const text = entering.asCommand === true ? null : (entering.arrives ?? entering.text);
  const reported = ctx.hookReports.edges.submittedSince(entering.record.id, { sinceMs: since, text });
  return reported ? { text: "the agent's hook reported the prompt", reason: "hook" } : null;
}

/** Evidence only after Enter is weaker: the text itself was never seen. */
export function submitted({ arrived }: Entering, evidence: readonly string[], reason: "hook" | "screen"): Verdict {
  if (arrived !== null) return { outcome: "submitted", reason, evidence: [arrived, ...evidence] };
  if (reason === "hook") return { outcome: "submitted", reason, evidence };
  return unconfirmed("nothing_seen", "the text did not appear before Enter was pressed", ...evidence);
}

export function stillWaits({ adapter, text, typed }: Entering, now: ScreenReading): boolean {
  const { draft } = now.reading;
  if (draft !== null) return draft !== "" && squeeze(draft) === squeeze(typed.reading.draft ?? "");
  return adapter.arrived({ before: blankOf(now), now: now.observation, text }) !== null;
}

const MIXED = "other text appeared in the input before Enter took effect, and was sent too";

/**
 * Whether Enter did nothing, and the input holds other text besides the waiting one. More of the text itself does not count: agents draw in
 * steps.
 */
function isMixed({ adapter, text, typed }: Entering, now: ScreenReading): boolean {
  const [was, is] = [squeeze(typed.reading.draft ?? ""), squeeze(now.reading.draft ?? "")];
  if (was === "" || is.length <= was.length || !(is.startsWith(was) || is.endsWith(was))) return false;
  return adapter.mixed === undefined || adapter.mixed({ before: blankOf(now), now: now.observation, text }) !== null;
}

/** Compared with an empty text, the text is where it was. */
function blankOf({ observation }: ScreenReading): ScreenReading["observation"] {
  return { ...observation, lines: [], cursor: { column: 0, row: 0, visible: true }, historySize: 0 };
}

export function mixedUp(...evidence: readonly string[]): Verdict {
  const hint = "Submit or remove the input's content yourself: it is not only the sent text.";
  return { outcome: "typed_not_submitted", reason: "input_changed", evidence, hint };
}

export function isDialog({ reading }: Pick<ScreenReading, "reading">): boolean {
  return reading.state === "blocked" || reading.state === "awaiting_approval";
}

function unseen(now: ScreenReading, entering: Entering): Verdict {
  const { arrived } = entering;
  if (now.pane.exit !== null) return unconfirmed("session_ended", ...seen(arrived), "the program ended after Enter was pressed");
  const verdict = unconfirmed("nothing_seen", ...seen(arrived), "Enter was pressed, and the result is unknown");
  return { ...verdict, left: leftIn(entering, now) };
}

function leftIn({ adapter, text }: Entering, now: ScreenReading): string | null {
  const mixed = adapter.mixed?.({ before: blankOf(now), now: now.observation, text }) ?? null;
  return mixed === null ? now.reading.draft : null;
}

function pressHint({ name }: SessionRecord): string {
  return `Press Enter with \`tmpm keys ${name} Enter\`; the next send removes it.`;
}

function seen(evidence: string | null): readonly string[] {
  return evidence === null ? [] : [evidence];
}
