import type { AgentAdapter } from "@tmpm/agents";
import type { Finding } from "@tmpm/api/local";

/** Which agents are installed, and whether they trust tmpm's hooks. */
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
  const doubts = [doubtOfVersion(adapter, found.version), doubtOfHooks(adapter, found.version)].filter((doubt) => doubt !== null);
  if (doubts.length === 0) return { name, status: "ok", message, hint: null };
  return {
    name,
    status: "warn",
    message: [message, ...doubts.map(({ why }) => why)].join(", "),
    hint: doubts.map(({ hint }) => hint).join(" "),
  };
}

interface Doubt {
  readonly why: string;
  readonly hint: string;
}

function doubtOfVersion({ verified = [] }: AgentAdapter, version: string | null): Doubt | null {
  if (version === null || verified.length === 0 || verified.includes(version)) return null;
  return {
    why: `version not verified (verified: ${verified.join(", ")})`,
    hint: "Its screens may differ from the known ones: watch its first session, or install a verified version.",
  };
}

function doubtOfHooks({ hooks }: AgentAdapter, version: string | null): Doubt | null {
  const trustedBy = hooks?.trustedBy ?? version;
  return version === trustedBy ? null : { why: `which may not trust tmpm's hooks as ${trustedBy} does`, hint: UNTRUSTED };
}

export const UNTRUSTED = "If it asks to review hooks, attach and trust them; without them only its screen is read, a second later.";
