import { hasCode, isTerminal, type SessionRecord, UNKNOWN_DIRECTORY } from "@tmpm/core";
import { permissionsFromAo } from "@tmpm/core/compat/ao";
import type { Context } from "../context.js";
import { notTaken } from "./imported-record.js";

/** Differences of an imported session from the original, and obstacles to resuming it. */
export function importNotes(
  ctx: Pick<Context, "agent">,
  { decoded, record }: { readonly decoded: SessionRecord; readonly record: SessionRecord },
): readonly string[] {
  const project = foreignProject(decoded);
  const lost = notTaken(decoded);
  return [
    ...(record.name === decoded.name ? [] : [`named ${record.name}, since session ${decoded.name} already exists`]),
    ...(project === null || project === record.project_id ? [] : [`project ${project} is ${record.project_id} here`]),
    ...(record.state === decoded.state ? [] : [`was ${decoded.state}; here it is ${record.state}`]),
    ...(lost.length === 0 ? [] : [`not imported: ${lost.join(", ")}`]),
    ...(isTerminal(record) ? [] : [...permissionsNote(decoded), ...hindrances(ctx, record)]),
  ];
}

/** ao-rs's word, and the permission that the agent launches with instead. */
function permissionsNote({ agent, ao }: SessionRecord): readonly string[] {
  const theirs = fieldOf(fieldOf(ao, "agent_config"), "permissions");
  if (typeof theirs !== "string" || theirs === "default") return [];
  const ours = permissionsFromAo(agent, theirs);
  if (ours === undefined) return [`its permissions ${theirs} have no counterpart for ${agent}, which is launched with its own default`];
  return ours === theirs ? [] : [`its permissions ${theirs} are ${ours} of ${agent}`];
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function hindrances(ctx: Pick<Context, "agent">, { cwd, agent }: SessionRecord): readonly string[] {
  return [
    ...(cwd === UNKNOWN_DIRECTORY ? ["its directory is unknown, so it cannot be resumed"] : []),
    ...(knowsAgent(ctx, agent) ? [] : [`agent ${agent} is unknown, so it cannot be resumed`]),
  ];
}

function foreignProject({ ao }: SessionRecord): string | null {
  const project = fieldOf(ao, "project_id");
  return typeof project === "string" ? project : null;
}

function knowsAgent(ctx: Pick<Context, "agent">, agent: string): boolean {
  try {
    ctx.agent(agent);
    return true;
  } catch (error) {
    if (hasCode(error, "AGENT_UNKNOWN")) return false;
    throw error;
  }
}
