import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The folder in which a user describes their own agents: `tmpm/agents` in the configuration folder (XDG Base Directory 0.8). */
export function agentsFolder(env: NodeJS.ProcessEnv): string {
  const set = env.XDG_CONFIG_HOME ?? "";
  const config = isAbsolute(set) ? set : join(env.HOME ?? homedir(), ".config");
  return join(config, "tmpm", "agents");
}
