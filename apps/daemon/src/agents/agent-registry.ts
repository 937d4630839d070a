import { type Agents, agents, type ConfiguredAgents, configuredAgents, KNOWN_AGENTS } from "@tmpm/agents";
import { agentsFolder } from "./agents-folder.js";

export interface KnownAgents {
  readonly registry: Agents;
  /** Invalid agent description files. */
  readonly problems: ConfiguredAgents["problems"];
}

/** The built-in agents, and those the user describes. */
export async function agentRegistry(env: NodeJS.ProcessEnv): Promise<KnownAgents> {
  const own = await configuredAgents(agentsFolder(env), { taken: KNOWN_AGENTS.map(({ id }) => id) });
  return { registry: agents([...KNOWN_AGENTS, ...own.agents]), problems: own.problems };
}
