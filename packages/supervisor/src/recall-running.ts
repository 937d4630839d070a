import { nameFromTmuxName, SCHEMA_VERSION, SessionRecord, timestampFromMs, UNKNOWN_DIRECTORY } from "@tmpm/core";
import type { Context } from "./context.js";
import { agentOfPane, knownAgent } from "./discovery/agent-of-pane.js";

/**
 * Reconstructs sessions with unreadable records from their terminals' tags: enough to show, attach and stop running ones. True if any was
 * found.
 */
export async function recallRunning(ctx: Context): Promise<boolean> {
  const entries = await ctx.store.list({ archived: true });
  const lost = new Set(entries.flatMap((entry) => (entry.kind === "session" || entry.last !== undefined ? [] : [entry.id])));
  if (lost.size === 0) return false;
  let recalled = false;
  for (const host of ctx.host.own) {
    const answer = await host.list();
    if (answer.kind !== "present") continue;
    for (const pane of answer.value) {
      const { sessionId, identity, tmuxName, exit } = pane;
      if (sessionId === null || !lost.has(sessionId) || exit !== null) continue;
      const [cwd = null] = await ctx.host.directories([identity]);
      const now = timestampFromMs(ctx.clock.now());
      ctx.store.recall(
        SessionRecord.parse({
          schema_version: SCHEMA_VERSION,
          id: sessionId,
          name: nameFromTmuxName(tmuxName),
          tmux_name: tmuxName,
          cwd: cwd ?? UNKNOWN_DIRECTORY,
          state: "active",
          created_at: now,
          updated_at: now,
          agent: knownAgent(ctx, agentOfPane(pane, await ctx.agentProcesses())),
          control: host.control,
          pane: identity,
          pid: pane.pid,
          // Its owner, for example, is unknown.
          recalled: true,
        }),
      );
      recalled = true;
    }
  }
  return recalled;
}
