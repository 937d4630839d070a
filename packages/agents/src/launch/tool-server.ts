import type { HookPlan, HookRequest } from "../hooks/hook-plan.js";

/** The name under which an agent knows the server of tmpm's tools. */
export const TOOL_SERVER = "tmpm";

/** The variables by which the server knows its session. Agents that pass on only part of their environment are configured to pass these. */
export const TOOL_SERVER_ENV = ["TMPM_SESSION_ID", "TMPM_SESSION_NAME", "TMPM_SESSION_TOKEN", "TMPM_SOCKET"] as const;

/**
 * How one session of an agent is given an MCP server, whose program and arguments the request names, without touching the user's files. `env` of the request
 * is what the agent will have, hooks included. Null when the agent has no way that leaves the user's own servers as they are.
 */
export type PlanTools = (request: HookRequest) => HookPlan | null;
