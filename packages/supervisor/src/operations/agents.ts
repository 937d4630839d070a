import type { AgentAdapter, Installed } from "@tmpm/agents";
import type { Context } from "../context.js";

export interface AgentFacts {
  readonly adapter: AgentAdapter;
  /** Null for an agent with a protocol only. */
  readonly terminal: Installed | null;
  /** Null for an agent without a protocol. */
  readonly protocol: Installed | null;
  /** Whether the installed version was verified; null when it is unknown, or none was verified. */
  readonly versionVerified: boolean | null;
}

/** Every agent, in the order of the registry. */
export async function agents(ctx: Pick<Context, "agent" | "agentList" | "settings">): Promise<readonly AgentFacts[]> {
  return Promise.all((ctx.agentList?.() ?? []).map(({ id }) => factsOf(ctx, ctx.agent(id))));
}

/** @throws AGENT_UNKNOWN */
export async function agent(ctx: Pick<Context, "agent" | "settings">, input: { readonly agent: string }): Promise<AgentFacts> {
  return factsOf(ctx, ctx.agent(input.agent));
}

async function factsOf(ctx: Pick<Context, "settings">, adapter: AgentAdapter): Promise<AgentFacts> {
  const env = ctx.settings.sessionEnv;
  const [terminal, protocol] = await Promise.all([adapter.detect(env), adapter.protocol?.detect(env) ?? null]);
  return { adapter, terminal, protocol, versionVerified: versionVerified(adapter, terminal) };
}

function versionVerified({ verified = [] }: AgentAdapter, found: Installed): boolean | null {
  if (!found.installed || found.version === null || verified.length === 0) return null;
  return verified.includes(found.version);
}
