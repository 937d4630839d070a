import { TmpmError } from "@tmpm/core";
import type { AgentAdapter } from "./adapter.js";
import { claude } from "./claude/claude.js";
import { codex } from "./codex/codex.js";
import { command } from "./command.js";
import { continueCli } from "./described/continue.js";
import { copilot } from "./described/copilot.js";
import { pi } from "./described/pi.js";
import { qwen } from "./described/qwen.js";
import { gemini } from "./gemini/gemini.js";
import { opencode } from "./opencode/opencode.js";
import { shell } from "./shell.js";

export interface Agents {
  /** @throws AGENT_UNKNOWN, with the known ids as its hint */
  find(id: string): AgentAdapter;
  list(): readonly AgentAdapter[];
}

export const KNOWN_AGENTS: readonly AgentAdapter[] = [shell, command, claude, codex, gemini, opencode, copilot, qwen, pi, continueCli];

/** The agents known to a program; by default those of this package. Ids are unique. */
export function agents(list: readonly AgentAdapter[] = KNOWN_AGENTS): Agents {
  const byId = new Map(list.map((adapter) => [adapter.id, adapter]));
  if (byId.size !== list.length) throw new TypeError("two agents have the same id");
  return {
    list: () => list,
    find(id) {
      const adapter = byId.get(id);
      if (adapter !== undefined) return adapter;
      throw new TmpmError("AGENT_UNKNOWN", `unknown agent '${id}'`, {
        hint: `Known agents: ${[...byId.keys()].join(", ")}.`,
        details: { agent: id, known: [...byId.keys()] },
      });
    },
  };
}
