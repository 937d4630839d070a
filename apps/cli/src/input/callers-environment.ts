import { anyAgentEnv } from "@tmpm/core";
import type { Context } from "../context.js";
import { type NewDefaults, newDefaults } from "./new-defaults.js";

interface CallersEnvironment {
  readonly search_path?: string | undefined;
  readonly env?: Record<string, string>;
}

/**
 * The part of the caller's environment for a launch, completed from the configuration file; empty on another machine, which has its own.
 * `defaults` are those already read. @throws CONFIG_INVALID, UNSAFE_PATH
 */
export async function callersEnvironment(
  { env: own, node }: Pick<Context, "env" | "node">,
  defaults?: Pick<NewDefaults, "env">,
): Promise<CallersEnvironment> {
  if (node !== null) return {};
  const { env } = defaults ?? (await newDefaults(own, null));
  return { search_path: env.PATH, env: anyAgentEnv(env) };
}
