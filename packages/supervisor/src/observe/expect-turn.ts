import type { AgentAdapter } from "@tmpm/agents";
import type { SessionRecord } from "@tmpm/core";
import { HOLD_MS } from "../activity/believe.js";
import { withPrompt } from "../activity/track.js";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { learn } from "./learn.js";

/** How long a submitted prompt may show no sign of its turn, in ms. */
export function beginMs({ limits }: AgentAdapter): number {
  return limits.beginMs ?? HOLD_MS;
}

/** Records a prompt entered at this time (milliseconds since 1970): until its turn shows, an idle screen is outdated. */
export function expectTurn(ctx: Context, { record, atMs }: { readonly record: SessionRecord; readonly atMs: number }): void {
  const untilMs = ctx.clock.now() + beginMs(agentOf(ctx, record));
  learn(ctx, record, (known) => ({ ...known, track: withPrompt(known.track, { atMs, untilMs }) }));
  ctx.requests.observe.notify(record.id);
}
