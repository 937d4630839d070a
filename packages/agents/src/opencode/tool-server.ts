import { isObject } from "../files/json-path.js";
import { type PlanTools, TOOL_SERVER } from "../launch/tool-server.js";
import { CONFIG_CONTENT, configOf } from "./hooks.js";

/** OpenCode 1.18: configuration in the environment is merged with the user's files. Its servers inherit OpenCode's environment. */
export const opencodeTools: PlanTools = ({ command, env }) => {
  const config = configOf(env[CONFIG_CONTENT]);
  if (config === null) return null;
  const others = isObject(config.mcp) ? config.mcp : {};
  const mcp = { ...others, [TOOL_SERVER]: { type: "local", command: [...command], enabled: true } };
  return { files: [], argv: [], env: { [CONFIG_CONTENT]: JSON.stringify({ ...config, mcp }) } };
};
