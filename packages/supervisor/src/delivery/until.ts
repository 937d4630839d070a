import type { AgentAdapter } from "@tmpm/agents";
import { hasCode, msFromTimestamp, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { readScreen, type ScreenReading } from "../observe/observe.js";
import { UNANSWERED } from "../unanswered.js";

/** A text in one terminal. */
export interface AwaitedText {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  readonly text: string;
}

/** A terminal shows most typed text within milliseconds; later text is polled less often. */
const FIRST_POLL_MS = 2;
const POLL_MS = 60;
const YOUNG_MS = 120_000;
const YOUNG_PATIENCE_MS = 15_000;

/** Looks until the evidence appears, for `confirmMs` and longer for long texts. A host that does not answer meanwhile is queried again. */
export async function until<T>(
  ctx: Context,
  awaiting: AwaitedText,
  proof: (now: ScreenReading) => T | null,
): Promise<{ readonly look: ScreenReading; readonly evidence: T | null }> {
  const startedMs = ctx.clock.now();
  const deadline = startedMs + ctx.settings.confirmMs + Math.ceil(awaiting.text.length / 100) + youngMs(awaiting.record, startedMs);
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, POLL_MS)) {
    const now = await readScreenIfAnswered(ctx, awaiting);
    const found = now === null ? null : proof(now);
    const over = ctx.clock.now() >= deadline || (now !== null && now.pane.exit !== null);
    if (now !== null && (found !== null || over)) return { look: now, evidence: found };
    if (now === null && over) return { look: await readScreen(ctx, awaiting), evidence: null };
    await ctx.clock.sleep(pollMs);
  }
}

/** Agents show their input seconds before they read it: the deadline of a freshly launched one is longer. */
function youngMs({ launched_at }: SessionRecord, nowMs: number): number {
  const age = launched_at === null ? YOUNG_MS : nowMs - msFromTimestamp(launched_at);
  return age < YOUNG_MS ? YOUNG_PATIENCE_MS : 0;
}

/** Null when the host does not answer, and may answer the next time. */
export async function readScreenIfAnswered(ctx: Context, awaiting: Pick<AwaitedText, "record" | "adapter">): Promise<ScreenReading | null> {
  try {
    return await readScreen(ctx, awaiting);
  } catch (error) {
    if (hasCode(error, ...UNANSWERED, "RESOURCE_EXHAUSTED")) return null;
    throw error;
  }
}
