import { anyAgentEnv } from "@tmpm/core";
import type { Context } from "../context.js";

interface CallersEnvironment {
  readonly search_path?: string | undefined;
  readonly env?: Record<string, string>;
}

/** The part of the caller's environment for a launch; empty on another machine, which has its own. */
export function callersEnvironment(env: Context["env"], node: string | null): CallersEnvironment {
  return node === null ? { search_path: env.PATH, env: anyAgentEnv(env) } : {};
}
