import type { HookPlan, HookRequest } from "../hooks/hook-plan.js";

/** An agent's name for the server of tmpm's tools. */
export const TOOL_SERVER = "tmpm";

/** The variables that identify the server's session. Agents that pass on only part of their environment are configured to pass these. */
export const TOOL_SERVER_ENV = ["TMPM_SESSION_ID", "TMPM_SESSION_NAME", "TMPM_SESSION_TOKEN", "TMPM_SOCKET"] as const;

/**
 * How one session of an agent gets an MCP server, whose program and arguments the request names, without changing the user's files. `env`
 * of the request is the agent's environment, including hooks. Null when the agent has no way that keeps the user's own servers.
 */
export type PlanTools = (request: HookRequest) => HookPlan | null;
