import type { Reading } from "@tmpm/agents";
import type { PaneInfo } from "@tmpm/core";
import type { Context } from "../context.js";

/**
 * The reading of a terminal whose program was suspended, as by Ctrl-Z; null for others. Without a shell around it nothing continues it
 * automatically.
 */
export function suspended(ctx: Pick<Context, "isSuspended">, { pid, exit }: PaneInfo): Reading | null {
  if (exit !== null || ctx.isSuspended?.(pid) !== true) return null;
  return {
    state: "blocked",
    source: "process",
    confidence: 1,
    evidence: ["its program is suspended, as by Ctrl-Z"],
    hint: `Its program is suspended; \`kill -CONT ${pid}\` continues it.`,
    draft: null,
    decision: null,
  };
}

export function isSuspension({ state, source }: Reading): boolean {
  return state === "blocked" && source === "process";
}
