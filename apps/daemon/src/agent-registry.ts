import {
  type Agents,
  agents,
  type ConfiguredAgents,
  claude,
  codex,
  command,
  configuredAgents,
  gemini,
  opencode,
  shell,
} from "@tmpm/agents";
import { agentsFolder } from "./agents-folder.js";

export interface KnownAgents {
  readonly registry: Agents;
  /** Files that were to describe an agent and do not. */
  readonly problems: ConfiguredAgents["problems"];
}

/** The agents that tmpm knows, and those that the user describes. */
export async function agentRegistry(env: NodeJS.ProcessEnv): Promise<KnownAgents> {
  const known = [shell, command, claude, codex, gemini, opencode];
  const own = await configuredAgents(agentsFolder(env), { taken: known.map(({ id }) => id) });
  return { registry: agents([...known, ...own.agents]), problems: own.problems };
}
