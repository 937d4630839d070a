import type { SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";

/** A hook is a program that an agent starts: on a busy machine its report is late. */
const REPORT_MS = 2_000;
const POLL_MS = 20;

export interface EnteredPrompt {
  readonly record: SessionRecord;
  /** The agent's form of the text. */
  readonly arrives: string;
  /** When Enter was pressed, in milliseconds since 1970. */
  readonly sinceMs: number;
}

/**
 * Whether other text was sent along, from the agent's own report of its prompt: keys between the last observation and Enter are otherwise
 * invisible. If the agent has never reported a prompt of this session, its report is not awaited.
 */
export async function wentAlong(
  ctx: Pick<Context, "clock" | "hookReports">,
  { record, arrives, sinceMs }: EnteredPrompt,
): Promise<boolean> {
  const deadline = ctx.clock.now() + (ctx.hookReports.edges.reportsPrompts(record.id) ? REPORT_MS : 0);
  for (;;) {
    const reported = ctx.hookReports.edges.promptSince(record.id, sinceMs);
    if (reported !== null) return holdsMore(reported, arrives);
    if (ctx.clock.now() >= deadline) return false;
    await ctx.clock.sleep(POLL_MS);
  }
}

/** The whole text is in it, with other text at one place beside it. */
export function holdsMore(reported: string, arrives: string): boolean {
  const [is, was] = [reported.trim(), arrives.trim()];
  if (is.length <= was.length) return false;
  let same = 0;
  while (same < was.length && is[same] === was[same]) same += 1;
  return is.endsWith(was.slice(same));
}
