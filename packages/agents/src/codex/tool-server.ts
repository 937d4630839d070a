import { type PlanTools, TOOL_SERVER, TOOL_SERVER_ENV } from "../launch/tool-server.js";

/**
 * Codex 0.171: configuration in its arguments adds a server to the user's; a server gets only the named variables of Codex's environment.
 */
export const codexTools: PlanTools = ({ command }) => {
  const [program, ...args] = command;
  // A basic string of TOML, and a list of them, have the form of JSON.
  const settings = { command: program, args, env_vars: TOOL_SERVER_ENV };
  const argv = Object.entries(settings).flatMap(([name, value]) => ["-c", `mcp_servers.${TOOL_SERVER}.${name}=${JSON.stringify(value)}`]);
  return { files: [], argv, env: {} };
};
