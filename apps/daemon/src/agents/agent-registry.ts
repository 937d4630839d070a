import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { type Agents, agents, type ConfiguredAgents, configuredAgents, KNOWN_AGENTS } from "@tmpm/agents";

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

/** The folder in which a user describes their own agents: `tmpm/agents` in the configuration folder (XDG Base Directory 0.8). */
export function agentsFolder(env: NodeJS.ProcessEnv): string {
  const set = env.XDG_CONFIG_HOME ?? "";
  const config = isAbsolute(set) ? set : join(env.HOME ?? homedir(), ".config");
  return join(config, "tmpm", "agents");
}
