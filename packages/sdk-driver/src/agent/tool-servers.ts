import type { McpServer } from "@agentclientprotocol/sdk";

/**
 * Variables of the agent's environment by which the server knows its session. An agent may start it with a smaller environment than its
 * own.
 */
const NEEDED = /^TMPM_(?:SESSION_(?:ID|NAME|TOKEN)|SOCKET)$/;

/** The server of tmpm's tools in the format of the Agent Client Protocol, whose agents all start it over stdio; none without a program. */
export function toolServers(tools: readonly string[] | undefined, env: Readonly<Record<string, string>>): McpServer[] {
  const [command, ...args] = tools ?? [];
  if (command === undefined) return [];
  const variables = Object.entries(env).flatMap(([name, value]) => (NEEDED.test(name) ? [{ name, value }] : []));
  return [{ name: "tmpm", command, args, env: variables }];
}
