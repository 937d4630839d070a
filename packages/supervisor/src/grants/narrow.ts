import { type Grant, type GrantWish, grantBeyond, grantOf, isWithin, type Lineage, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { requireDirectory, workingDirectory } from "../launch/launch.js";
import type { CreateInput } from "../operations/create.js";
import { actorOf } from "./authorise.js";
import { pathTo } from "./causation.js";
import { rootOf } from "./family.js";
import { requireGrant } from "./held-grant.js";

/** Origin of a session started by another one. */
export interface Spawned {
  readonly parent: string;
  readonly lineage: Lineage;
}

/** Options reserved for users: they could widen the new session's rights. */
const PERSONS = ["argv", "trust", "repo", "owner", "mode", "evict_siblings", "env", "search_path"] as const;

/**
 * Limits a session's request to what it may pass on: its child has the parent's environment, permissions, project and owner, works in the
 * parent's directory or below it, and gets at most the parent's grant. @throws GRANT_REFUSED, RIGHTS_EXCEEDED, CAUSATION_REFUSED
 */
export async function narrowed(
  ctx: Context,
  { actor, input, agent }: { readonly actor: string; readonly input: CreateInput; readonly agent: string },
): Promise<CreateInput> {
  const parent = await actorOf(ctx, actor);
  const held = await requireGrant(ctx, parent);
  for (const field of PERSONS) if (input[field] !== undefined) throw exceeded(parent, { field, why: "only the user may choose it" });
  if (input.setup === true) throw exceeded(parent, { field: "setup", why: "only the user may consent to it" });
  requireAsking(ctx, { parent, agent });
  await requireInside(ctx, { parent, cwd: input.cwd });
  const path = await pathTo(ctx, parent);
  return {
    ...input,
    permissions: permissionsFor(parent, { agent, wanted: input.permissions }),
    project_id: projectFor(parent, input.project_id),
    owner: parent.owner ?? undefined,
    search_path: parent.agent_config.search_path,
    env: await ctx.launchEnvs.of(parent.id),
    grant: input.grant === undefined ? undefined : passedOn(parent, { held, wish: input.grant }),
    spawned: { parent: parent.id, lineage: { root: rootOf(parent), depth: (parent.lineage?.depth ?? 0) + 1, path: [...path] } },
  };
}

/** An agent that acts without asking can be started only by the same agent, or by one known to do everything without asking. */
function requireAsking(ctx: Pick<Context, "agent">, { parent, agent }: { readonly parent: SessionRecord; readonly agent: string }): void {
  const { asksFirst } = ctx.agent(agent);
  if (asksFirst === true || agent === parent.agent || ctx.agent(parent.agent).asksFirst === false) return;
  const why = asksFirst === false ? "runs commands without asking" : "is not known to ask before it runs commands";
  throw exceeded(parent, { field: "agent", why: `${agent} ${why}, and agent ${parent.agent} may not do that` });
}

/** Agents' permission modes cannot be compared: the same agent gets the same mode, another one its default. */
function permissionsFor(parent: SessionRecord, { agent, wanted }: { readonly agent: string; readonly wanted: string | undefined }) {
  const { permissions } = parent.agent_config;
  if (agent === parent.agent && (wanted === undefined || wanted === permissions)) return permissions;
  if (agent !== parent.agent && wanted === undefined && permissions === undefined) return undefined;
  throw exceeded(parent, {
    field: "permissions",
    why: `its own are ${permissions ?? "the default"}, and others cannot be shown to be narrower`,
  });
}

function projectFor(parent: SessionRecord, wanted: string | undefined): string {
  if (wanted === undefined || wanted === parent.project_id) return parent.project_id;
  throw exceeded(parent, { field: "project_id", why: `its own is ${parent.project_id}` });
}

function passedOn(parent: SessionRecord, { held, wish }: { readonly held: Grant; readonly wish: GrantWish }): GrantWish {
  const given = grantOf(wish);
  const beyond = given === null ? [] : grantBeyond(given, held);
  if (beyond.length === 0) return wish;
  throw exceeded(parent, { field: "grant", why: `${beyond.join(" and ")} would exceed its own` });
}

/** By the directories' real paths, so that links do not lead elsewhere. */
async function requireInside(
  ctx: Pick<Context, "describeDirectory" | "directories">,
  { parent, cwd }: { readonly parent: SessionRecord; readonly cwd: string },
): Promise<void> {
  const [own, asked] = [await requireDirectory(ctx, workingDirectory(parent)), await requireDirectory(ctx, cwd)];
  if (isWithin(asked.realPath, own.realPath)) return;
  throw exceeded(parent, { field: "cwd", why: `it is not within ${own.realPath}` });
}

function exceeded(parent: SessionRecord, { field, why }: { readonly field: string; readonly why: string }): TmpmError {
  return new TmpmError("RIGHTS_EXCEEDED", `session ${parent.name} cannot give this (${field}): ${why}`, {
    details: { field, session: parent.id },
  });
}
