import type { AgentAdapter } from "@tmpm/agents";
import type { SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { verdictOf } from "../delivery/conduct.js";
import { pressEnter } from "../delivery/press-enter.js";
import type { Verdict } from "../delivery/receipt.js";
import { findSession } from "../find-session.js";
import { readScreen, type ScreenReading } from "../observe/observe.js";
import { squeeze } from "../squeeze.js";

export interface LeftPrompt {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  readonly text: string;
  /** Whether the prompt's turn still waits for it. */
  readonly waits: () => boolean;
}

export interface SubmittedText {
  readonly verdict: Omit<Verdict, "reason">;
  /** When Enter was pressed, in milliseconds since 1970. */
  readonly enteredMs: number;
}

const ARRIVED = "the agent put the prompt into its input and did not submit it";

/** The agent is idle, and its input holds exactly the prompt. */
export function isLeft({ reading }: Pick<ScreenReading, "reading">, text: string): boolean {
  return reading.state === "idle" && reading.draft !== null && squeeze(reading.draft) === squeeze(text);
}

/**
 * Presses Enter on a prompt that was passed at launch and only put into the input; null when it is missing or no longer wanted, or the
 * session is paused.
 */
export function submitLeft(ctx: Context, left: LeftPrompt): Promise<SubmittedText | null> {
  const { record, text } = left;
  return ctx.queue.run(record.id, async () => {
    if (!left.waits() || (await findSession(ctx, record.id)).paused_at !== null) return null;
    const typed = await readScreen(ctx, left);
    if (!isLeft(typed, text)) return null;
    const enteredMs = ctx.clock.now();
    const { outcome, evidence, hint } = await verdictOf(() => pressEnter(ctx, { ...left, typed, arrived: ARRIVED }));
    const verdict = {
      outcome: outcome === "submitted" ? outcome : ("unconfirmed" as const),
      evidence,
      ...(hint === undefined ? {} : { hint }),
    };
    return { verdict, enteredMs };
  });
}
