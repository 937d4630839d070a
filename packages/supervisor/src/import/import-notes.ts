import { hasCode, isTerminal, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";

/** What an imported session is not, or no longer, as it was, and what keeps it from being resumed. */
export function importNotes(
  ctx: Context,
  { decoded, record }: { readonly decoded: SessionRecord; readonly record: SessionRecord },
): readonly string[] {
  const project = foreignProject(decoded);
  return [
    ...(record.name === decoded.name ? [] : [`named ${record.name}, since there is a session ${decoded.name}`]),
    ...(project === null || project === record.project_id ? [] : [`project ${project} is ${record.project_id} here`]),
    ...(record.state === decoded.state ? [] : [`was ${decoded.state}; here it is ${record.state}`]),
    ...(isTerminal(record) ? [] : hindrances(ctx, record)),
  ];
}

function hindrances(ctx: Context, { cwd, agent }: SessionRecord): readonly string[] {
  return [
    ...(cwd === UNKNOWN_DIRECTORY ? ["its directory is not known, so it cannot be resumed"] : []),
    ...(knowsAgent(ctx, agent) ? [] : [`tmpm has no agent ${agent}, so it cannot be resumed`]),
  ];
}

/** What the codecs write, and trusty-mpm too. */
const UNKNOWN_DIRECTORY = "/unknown";

function foreignProject({ ao }: SessionRecord): string | null {
  if (typeof ao !== "object" || ao === null || !("project_id" in ao)) return null;
  return typeof ao.project_id === "string" ? ao.project_id : null;
}

function knowsAgent(ctx: Context, agent: string): boolean {
  try {
    ctx.agent(agent);
    return true;
  } catch (error) {
    if (hasCode(error, "AGENT_UNKNOWN")) return false;
    throw error;
  }
}
