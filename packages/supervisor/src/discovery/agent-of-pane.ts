import type { AgentProcess } from "@tmpm/agents";
import { hasCode, type PaneInfo } from "@tmpm/core";
import type { Context } from "../context.js";

const SHELL = /^-?(?:sh|bash|zsh|fish|dash|ksh|mksh|ash|tcsh|csh|nu|xonsh|elvish)$/;

/** The agent in a pane opened by another user: from its processes, else whether it shows a shell. */
export function agentOfPane(pane: PaneInfo, processes: readonly AgentProcess[]): string {
  const running = processes.find(({ pid, ancestors }) => pid === pane.pid || ancestors.includes(pane.pid));
  if (running !== undefined) return running.agent;
  return SHELL.test(pane.command) ? "shell" : "command";
}

/** The adapter's id, or `command` for an agent known only from the processes. */
export function knownAgent(ctx: Pick<Context, "agent">, agent: string): string {
  try {
    return ctx.agent(agent).id;
  } catch (error) {
    if (!hasCode(error, "AGENT_UNKNOWN")) throw error;
    return "command";
  }
}
