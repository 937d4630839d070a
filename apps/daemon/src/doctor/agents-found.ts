import type { AgentAdapter } from "@tmpm/agents";
import type { Finding } from "@tmpm/api/local";

/** Which agents are installed, and whether they may trust our hooks. */
export async function agentsFound(
  adapters: readonly AgentAdapter[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Finding[]> {
  return Promise.all(adapters.map((adapter) => agentFound(adapter, env)));
}

async function agentFound(adapter: AgentAdapter, env: Readonly<Record<string, string | undefined>>): Promise<Finding> {
  const name = `agent ${adapter.id}`;
  const found = await adapter.detect(env);
  if (!found.installed) return { name, status: "skip", message: "not installed", hint: found.hint };
  const message = [found.path ?? "any program", found.version ?? ""].join(" ").trim();
  const trustedBy = adapter.hooks?.trustedBy ?? found.version;
  if (found.version === trustedBy) return { name, status: "ok", message, hint: null };
  return { name, status: "warn", message: `${message}, which may not trust our hooks as ${trustedBy} does`, hint: UNTRUSTED };
}

export const UNTRUSTED = "Where it asks to review hooks, attach and trust them; without them its screen alone is believed, a second later.";
