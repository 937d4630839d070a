import type { AgentAdapter } from "@tmpm/agents";
import { TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";

export interface PermissionsWish {
  readonly adapter: AgentAdapter;
  /** In the agent's own words; undefined for what is usual. */
  readonly permissions: string | undefined;
}

/** What the agent may do unasked, if it has a way to be told: one word that no program can take for an option of its own. @throws INVALID_ARGUMENT */
export function permissionsOf(
  ctx: Pick<Context, "agentList">,
  { adapter, permissions }: PermissionsWish,
): { readonly permissions?: string } {
  if (permissions === undefined) return {};
  const word = permissions.trim();
  if (!/^[^\s\p{C}-][^\s\p{C}]{0,199}$/u.test(word))
    throw new TmpmError("INVALID_ARGUMENT", `permissions is one word that does not begin with a dash, not ${JSON.stringify(permissions)}`, {
      details: { field: "permissions" },
    });
  if (adapter.permissionsFlag !== undefined) return { permissions: word };
  const able = (ctx.agentList?.() ?? []).filter(({ permissionsFlag }) => permissionsFlag !== undefined).map(({ title }) => title);
  throw new TmpmError("INVALID_ARGUMENT", `${adapter.title} has no way to be given its permissions here`, {
    hint: able.length === 0 ? "No agent has." : `These have: ${able.join(", ")}.`,
    details: { field: "permissions", agent: adapter.id },
  });
}
