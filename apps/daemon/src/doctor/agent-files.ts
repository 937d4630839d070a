import type { ConfiguredAgents } from "@tmpm/agents";
import type { Finding } from "@tmpm/api/local";

/** Invalid agent description files. */
export function agentFiles(problems: ConfiguredAgents["problems"]): readonly Finding[] {
  return problems.map(({ path, error }) => ({
    name: "agent file",
    status: "fail",
    message: `${path}: ${error.message}`,
    hint: "Fix the file, then restart the daemon.",
  }));
}
