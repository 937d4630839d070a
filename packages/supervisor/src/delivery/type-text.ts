import type { AgentAdapter } from "@tmpm/agents";
import { hasCode, msFromTimestamp, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { type Look, look, paneOf } from "../looks/observe.js";
import { UNANSWERED } from "../unanswered.js";
import type { Verdict } from "./receipt.js";

/** A text on its way into one terminal, whose queue the caller holds. */
export interface Typing {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  /** What is typed. */
  readonly text: string;
  /** It is meant as a command of the agent's own. */
  readonly asCommand?: boolean;
  /** Called before Enter may be pressed, with the screen that shows the text. */
  readonly entering: (typed: Look) => Promise<void>;
}

/** A moment is needed between a paste and Enter: read as one chunk, some agents take Enter for a part of the paste. */
const ENTER_AFTER_MS = 150;
const POLL_MS = 60;
const ENTERS = 3;
const YOUNG_MS = 120_000;
const YOUNG_PATIENCE_MS = 15_000;

/** Pastes the text, once. `unknown` when its host did not tell whether it did. @throws what `SessionHost.paste` throws with effect none */
export async function pasteOnce(ctx: Context, { record, text }: Typing): Promise<"typed" | "unknown"> {
  try {
    await ctx.host.paste(paneOf(record), text);
    return "typed";
  } catch (error) {
    if (hasCode(error, ...UNANSWERED, "TMUX_FAILED", "RESOURCE_EXHAUSTED") && error.effect === "unknown") return "unknown";
    throw error;
  }
}

/** Waits until the pasted text shows, presses Enter as its own write, and waits until it has gone into execution. Only Enter is ever repeated. */
export async function submitTyped(
  ctx: Context,
  typing: Typing & { readonly before: Look; readonly pasted: "typed" | "unknown" },
): Promise<Verdict> {
  const arrived = await untilArrived(ctx, typing);
  const { reading, pane } = arrived.look;
  if (arrived.evidence === null) {
    if (typing.pasted === "unknown") return unconfirmed("tmux_unanswered", "nothing told whether the text was typed, and it does not show");
    if (pane.exit !== null) return unconfirmed("session_ended", "the program ended before the text showed");
    // A program without an input of its own may well not show what it is given.
    const isBlind = typing.before.reading.draft === null && reading.draft === null;
    if (!isBlind) return unconfirmed("not_shown", "the text did not show in the agent's input, so Enter was not pressed");
  }
  if (isMixed(arrived.look, typing.text)) {
    return {
      outcome: "typed_not_submitted",
      reason: "input_changed",
      evidence: ["other text stands in the input before it, so Enter was not pressed"],
    };
  }
  if (isDialog(arrived.look)) {
    const evidence = ["a dialog opened before Enter was pressed", ...reading.evidence];
    return { outcome: "typed_not_submitted", reason: "dialog_opened", evidence, hint: reading.hint };
  }
  if (reading.draft !== null) await ctx.clock.sleep(ENTER_AFTER_MS);
  await typing.entering(arrived.look);
  return pressEnter(ctx, { ...typing, typed: arrived.look, arrived: arrived.evidence });
}

export type Entering = Pick<Typing, "record" | "adapter" | "text" | "asCommand"> & {
  /** The screen that showed it last. */
  readonly typed: Pick<Look, "observation" | "reading">;
  /** Evidence that the text was seen to wait in the input; null when it never was. */
  readonly arrived: string | null;
};

/** Presses Enter until the text has left the input; at most three times, and again only while the text is seen to wait there. */
export async function pressEnter(ctx: Context, entering: Entering): Promise<Verdict> {
  const since = ctx.clock.now();
  for (let enter = 1; ; enter++) {
    await pressOnce(ctx, entering.record);
    await ctx.reached("send.entered");
    const gone = await until(ctx, entering, (now) => submission(ctx, { entering, now, since }));
    const times = enter === 1 ? [] : [`Enter was pressed ${enter} times`];
    if (gone.evidence !== null) return submitted(entering, [gone.evidence.text, ...times], gone.evidence.reason);
    const waits = stillWaits(entering, gone.look);
    if (!waits || isDialog(gone.look)) return unseen(gone.look, entering);
    if (enter === ENTERS || (gone.look.reading.draft ?? "") === "") {
      const evidence = [...seen(entering.arrived), "Enter was pressed, and the text still waits in the input", ...times];
      return { outcome: "typed_not_submitted", reason: "enter_ignored", evidence, hint: pressHint(entering.record) };
    }
  }
}

/** An answer that is lost may hide an Enter that was pressed; what shows next tells. */
async function pressOnce(ctx: Context, record: SessionRecord): Promise<void> {
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
  ctx: Context,
  seenNow: { readonly entering: Entering; readonly now: Look; readonly since: number },
): Proof | null {
  const { entering, now, since } = seenNow;
  const shown = entering.adapter.submitted({ typed: entering.typed.observation, now: now.observation, text: entering.text });
  if (shown !== null) return { text: shown, reason: "screen" };
  // Many commands open a view of their own in place of the input.
  const madeWay = entering.asCommand === true && (entering.typed.reading.draft ?? "") !== "" && now.reading.draft === null;
  if (madeWay) return { text: "the input made way for what the command shows", reason: "screen" };
  return ctx.hookEdges.submittedSince(entering.record.id, since) ? { text: "the agent's hook told of the prompt", reason: "hook" } : null;
}

/** What was seen only after Enter proves less: the text itself was never seen. */
export function submitted({ arrived }: Entering, evidence: readonly string[], reason: "hook" | "screen"): Verdict {
  if (arrived !== null) return { outcome: "submitted", reason, evidence: [arrived, ...evidence] };
  if (reason === "hook") return { outcome: "submitted", reason, evidence };
  return unconfirmed("nothing_seen", "the text did not show before Enter was pressed", ...evidence);
}

function unseen(now: Look, { arrived }: Entering): Verdict {
  if (now.pane.exit !== null) return unconfirmed("session_ended", ...seen(arrived), "the program ended after Enter was pressed");
  return unconfirmed("nothing_seen", ...seen(arrived), "Enter was pressed, and nothing showed what became of the text");
}

export function stillWaits({ adapter, text, typed }: Entering, now: Look): boolean {
  const { draft } = now.reading;
  if (draft !== null) return draft !== "" && squeeze(draft) === squeeze(typed.reading.draft ?? "");
  // Compared with nothing at all, the text stands where it stood.
  const blank = { ...now.observation, lines: [], cursor: { column: 0, row: 0, visible: true }, historySize: 0 };
  return adapter.arrived({ before: blank, now: now.observation, text }) !== null;
}

/** Somebody's text before ours, as far as ours shows whole. */
function isMixed({ reading }: Look, text: string): boolean {
  const draft = squeeze(reading.draft ?? "");
  const ours = squeeze(text);
  return draft.length > ours.length && draft.endsWith(ours) && ours !== "";
}

function isDialog({ reading }: Look): boolean {
  return reading.state === "blocked" || reading.state === "awaiting_approval";
}

export async function untilArrived(
  ctx: Context,
  typing: Pick<Typing, "record" | "adapter" | "text"> & { readonly before: Pick<Look, "observation"> },
): Promise<{ look: Look; evidence: string | null }> {
  const before = typing.before.observation;
  return until(ctx, typing, (now) => typing.adapter.arrived({ before, now: now.observation, text: typing.text }));
}

/** Looks until the proof is there, for `confirmMs` and longer for long texts. A host that does not answer meanwhile is asked again. */
export async function until<T>(
  ctx: Context,
  typing: Pick<Typing, "record" | "adapter" | "text">,
  proof: (now: Look) => T | null,
): Promise<{ look: Look; evidence: T | null }> {
  const startedMs = ctx.clock.now();
  const deadline = startedMs + ctx.settings.confirmMs + Math.ceil(typing.text.length / 100) + youngMs(typing.record, startedMs);
  for (;;) {
    const now = await lookOrNull(ctx, typing);
    const found = now === null ? null : proof(now);
    const over = ctx.clock.now() >= deadline || (now !== null && now.pane.exit !== null);
    if (now !== null && (found !== null || over)) return { look: now, evidence: found };
    if (now === null && over) return { look: await look(ctx, typing), evidence: null };
    await ctx.clock.sleep(POLL_MS);
  }
}

/** Agents show their input seconds before they read it: of one that was launched a moment ago more patience is had. */
function youngMs({ launched_at }: SessionRecord, nowMs: number): number {
  const age = launched_at === null ? YOUNG_MS : nowMs - msFromTimestamp(launched_at);
  return age < YOUNG_MS ? YOUNG_PATIENCE_MS : 0;
}

async function lookOrNull(ctx: Context, typing: Pick<Typing, "record" | "adapter">): Promise<Look | null> {
  try {
    return await look(ctx, typing);
  } catch (error) {
    if (hasCode(error, ...UNANSWERED, "RESOURCE_EXHAUSTED")) return null;
    throw error;
  }
}

function unconfirmed(reason: Verdict["reason"], ...evidence: readonly string[]): Verdict {
  return { outcome: "unconfirmed", reason, evidence, hint: "Look with `tmpm capture` before you repeat it." };
}

function pressHint({ name }: SessionRecord): string {
  return `Look with \`tmpm capture ${name}\`, then press Enter with \`tmpm keys ${name} Enter\`.`;
}

function seen(evidence: string | null): readonly string[] {
  return evidence === null ? [] : [evidence];
}

function squeeze(text: string): string {
  return text.replace(/\s+/gu, "");
}
