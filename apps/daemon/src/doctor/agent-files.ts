import type { ConfiguredAgents } from "@tmpm/agents";
import type { Finding } from "@tmpm/api/local";

/** Files that were to describe an agent and do not. */
export function agentFiles(problems: ConfiguredAgents["problems"]): readonly Finding[] {
  return problems.map(({ path, error }) => ({
    name: "agent file",
    status: "fail",
    message: `${path}: ${error.message}`,
    hint: "Set the file right, then restart the daemon.",
  }));
}
