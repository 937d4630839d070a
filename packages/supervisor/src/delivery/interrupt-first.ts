import type { AgentAdapter } from "@tmpm/agents";
import type { SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { paneOf, type ScreenReading } from "../observe/observe.js";
import { press, type Until, untilScreen } from "./keys-and-looks.js";

export interface Interrupted {
  /** The first look after the turn's end. */
  readonly look: ScreenReading;
  readonly evidence: readonly string[];
}

export interface Waiting {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  /** How long the agent may take, in ms; the time for an Enter to act by default. */
  readonly graceMs?: number;
}

/** Clears an input that holds text, in every agent; on an empty one it would end some of them. */
const CLEAR = ["C-c"];

/** Clears the text of the last look from the input; null when it remains. */
export async function clearInput(ctx: Context, waiting: Waiting): Promise<ScreenReading | null> {
  await ctx.host.keys(paneOf(waiting.record), CLEAR);
  return lookInTime(ctx, { ...waiting, so: ({ reading }) => reading.draft === "" });
}

/** Interrupts a running turn, and clears the prompt that an agent may then return to its input. Null when the turn continues. */
export async function interruptFirst(ctx: Context, session: Waiting & { readonly look: ScreenReading }): Promise<Interrupted | null> {
  const { record, adapter } = session;
  if (session.look.reading.state !== "working" || !isInterruptible(ctx, session)) return { look: session.look, evidence: [] };
  const wasEmpty = (session.look.reading.draft ?? "") === "";
  await breakOff(ctx, { record, adapter });
  const ended = await lookInTime(ctx, { ...session, so: ({ reading }) => reading.state !== "working" });
  if (ended === null) return null;
  const evidence = ["the running turn was interrupted first"];
  if (!wasEmpty || (ended.reading.draft ?? "") === "") return { look: ended, evidence };
  const cleared = await clearInput(ctx, session);
  return cleared === null ? null : { look: cleared, evidence: [...evidence, "its prompt, which reappeared in the input, was removed"] };
}

interface Interruptible {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
}

/** Through its protocol, or with its keys. */
export function isInterruptible(ctx: Pick<Context, "host">, { record, adapter }: Interruptible): boolean {
  return adapter.interrupt !== null || (record.pane !== null && ctx.host.conversation(record.pane) !== null);
}

async function breakOff(ctx: Pick<Context, "clock" | "host">, { record, adapter }: Interruptible): Promise<void> {
  const conversation = ctx.host.conversation(paneOf(record));
  if (conversation !== null) return conversation.cancel(paneOf(record));
  await press(ctx, { record, keys: adapter.interrupt?.keys ?? [] });
}

/** The first look that satisfies the condition; null when none does in time. */
async function lookInTime(ctx: Context, { record, graceMs, so }: Waiting & Pick<Until, "so">): Promise<ScreenReading | null> {
  const deadline = ctx.clock.now() + (graceMs ?? ctx.settings.confirmMs);
  const now = await untilScreen(ctx, { record, deadline, so });
  return so(now) ? now : null;
}
