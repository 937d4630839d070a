import type { Installed } from "@tmpm/agents";
import type { Output } from "@tmpm/api";
import type { AgentFacts } from "@tmpm/supervisor";

export function agentAnswer({ adapter, terminal, protocol, versionVerified }: AgentFacts): Output<"agent"> {
  return {
    id: adapter.id,
    title: adapter.title,
    described_in: adapter.describedIn ?? null,
    terminal: terminal === null ? null : programAnswer(terminal),
    protocol: protocol === null ? null : programAnswer(protocol),
    verified: [...(adapter.verified ?? [])],
    version_verified: versionVerified,
    first_prompt: adapter.limits.promptInArgv > 0 ? "argv" : "typed",
    while_working: adapter.limits.queuesWhileWorking ? "queued" : "held_back",
    reports_events: adapter.hooks !== null,
    keeps_transcript: adapter.transcript !== undefined,
    alters: adapter.limits.alters,
  };
}

function programAnswer(found: Installed): NonNullable<Output<"agent">["terminal"]> {
  if (!found.installed) return { installed: false, path: null, version: null, hint: found.hint };
  return { installed: true, path: found.path, version: found.version, hint: null };
}
