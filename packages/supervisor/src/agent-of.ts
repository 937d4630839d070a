import type { AgentAdapter } from "@tmpm/agents";
import { type ControlModel, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "./context.js";

/** The agent of a session, in its host's form. */
export function agentOf(ctx: Pick<Context, "agent" | "host">, { agent, control }: Pick<SessionRecord, "agent" | "control">): AgentAdapter {
  const adapter = ctx.agent(agent);
  return usesProtocol(ctx, control) ? (adapter.protocol ?? adapter) : adapter;
}

/** An agent in a host's form. @throws INVALID_ARGUMENT for an agent without the host's protocol */
export function requireAgentOn(
  ctx: Pick<Context, "agent" | "agentList" | "host">,
  { agent, control }: { readonly agent: string; readonly control: ControlModel },
): AgentAdapter {
  const adapter = ctx.agent(agent);
  if (!usesProtocol(ctx, control)) return adapter;
  if (adapter.protocol !== undefined) return adapter.protocol;
  const able = (ctx.agentList?.() ?? []).filter(({ protocol }) => protocol !== undefined).map(({ title }) => title);
  throw new TmpmError(
    "INVALID_ARGUMENT",
    `${adapter.title} does not speak a protocol that tmpm supports, so it needs a host with a terminal`,
    {
      hint: able.length === 0 ? "Choose another host." : `Choose another host; agents that speak one: ${able.join(", ")}.`,
      details: { field: "control", agent: adapter.id },
    },
  );
}

function usesProtocol(ctx: Pick<Context, "host">, control: ControlModel): boolean {
  return ctx.host.own.some((host) => host.control === control && host.conversation !== undefined);
}
