import { type Agents, agents, type ConfiguredAgents, configuredAgents, KNOWN_AGENTS } from "@tmpm/agents";
import { agentsFolder } from "./agents-folder.js";

export interface KnownAgents {
  readonly registry: Agents;
  /** Files that were to describe an agent and do not. */
  readonly problems: ConfiguredAgents["problems"];
}

/** The agents that tmpm knows, and those that the user describes. */
export async function agentRegistry(env: NodeJS.ProcessEnv): Promise<KnownAgents> {
  const own = await configuredAgents(agentsFolder(env), { taken: KNOWN_AGENTS.map(({ id }) => id) });
  return { registry: agents([...KNOWN_AGENTS, ...own.agents]), problems: own.problems };
}
