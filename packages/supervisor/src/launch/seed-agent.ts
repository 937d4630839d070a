import type { AgentAdapter, SeedFile } from "@tmpm/agents";
import type { Context } from "../context.js";
import type { Environment } from "./launch-env.js";

/** Adds missing settings to the user's configuration files; changes nothing else in them. */
export type SeedPort = (files: readonly SeedFile[]) => Promise<void>;

export interface Seeding {
  readonly adapter: AgentAdapter;
  /** The directory that its user trusts. */
  readonly cwd: string;
  readonly env: Environment;
}

/**
 * Answers an agent's questions on its first start, and in a new directory, beforehand. If that fails the agent asks, and is `blocked` until
 * a user answers.
 */
export async function seedAgent(ctx: Pick<Context, "report" | "seed" | "settings">, { adapter, cwd, env }: Seeding): Promise<void> {
  const files = adapter.seed?.({ cwd, env: { ...ctx.settings.sessionEnv, ...env }, trust: true }) ?? [];
  try {
    await ctx.seed(files);
  } catch (error) {
    ctx.report({ doing: `recording for ${adapter.title} that ${cwd} is trusted`, error });
  }
}
