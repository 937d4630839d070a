import type { McpServer } from "@agentclientprotocol/sdk";

/** What the server needs of the agent's environment to know its session. An agent may start it with less than its own. */
const NEEDED = /^TMPM_(?:SESSION_(?:ID|NAME|TOKEN)|SOCKET)$/;

/** The server of tmpm's tools as the Agent Client Protocol names it, which every agent that speaks it starts over stdio; none without a program. */
export function toolServers(tools: readonly string[] | undefined, env: Readonly<Record<string, string>>): McpServer[] {
  const [command, ...args] = tools ?? [];
  if (command === undefined) return [];
  const variables = Object.entries(env).flatMap(([name, value]) => (NEEDED.test(name) ? [{ name, value }] : []));
  return [{ name: "tmpm", command, args, env: variables }];
}
