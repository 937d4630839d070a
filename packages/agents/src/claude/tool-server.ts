import { join } from "node:path";
import { type PlanTools, TOOL_SERVER, TOOL_SERVER_ENV } from "../launch/tool-server.js";

/**
 * Claude Code 2.1: servers in a file named by the arguments are added to the user's. It expands variables, so that the file holds no token.
 */
export const claudeTools: PlanTools = ({ command, folder }) => {
  const path = join(folder, "claude-mcp.json");
  const [program, ...args] = command;
  const env = Object.fromEntries(TOOL_SERVER_ENV.map((name) => [name, `\${${name}}`]));
  const text = `${JSON.stringify({ mcpServers: { [TOOL_SERVER]: { type: "stdio", command: program, args, env } } }, null, 2)}\n`;
  // The option takes several files: joined with its value it takes one.
  return { files: [{ path, text }], argv: [`--mcp-config=${path}`], env: {} };
};
