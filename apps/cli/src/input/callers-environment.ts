import { anyAgentEnv } from "@tmpm/core";
import type { Context } from "../context.js";

interface CallersEnvironment {
  readonly search_path?: string | undefined;
  readonly env?: Record<string, string>;
}

/** What a launch takes from the environment of its caller: nothing on another machine, which has its own. */
export function callersEnvironment(env: Context["env"], node: string | null): CallersEnvironment {
  return node === null ? { search_path: env.PATH, env: anyAgentEnv(env) } : {};
}
