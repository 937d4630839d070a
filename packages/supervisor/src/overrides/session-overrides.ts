import type { AgentAdapter, LaunchRequest } from "@tmpm/agents";
import {
  changedOverrides,
  mergeOverrides,
  OVERRIDE_FIELDS,
  type OverrideField,
  type OverridesPatch,
  type SessionOverrides,
  type SessionRecord,
  TmpmError,
} from "@tmpm/core";
import type { Context } from "../context.js";

/** What a session overrides. Records of before, and imported ones, hold a model in their agent's configuration alone. */
export function overridesOf({ agent_config, overrides }: Pick<SessionRecord, "agent_config" | "overrides">): SessionOverrides {
  return { ...(agent_config.model === undefined ? {} : { model: agent_config.model }), ...overrides };
}

/** What the record keeps. The model stands in the agent's configuration too, for whom that is all they know. */
export function withOverrides(
  config: SessionRecord["agent_config"],
  overrides: SessionOverrides,
): Pick<SessionRecord, "agent_config" | "overrides"> {
  const { model: _before, ...others } = config;
  return { overrides, agent_config: { ...others, ...(overrides.model === undefined ? {} : { model: overrides.model }) } };
}

/** How the next launch is configured. */
export function launchConfig(record: Pick<SessionRecord, "agent_config" | "overrides">): LaunchRequest["config"] {
  const { model: _model, ...config } = record.agent_config;
  return { ...config, ...overridesOf(record) };
}

export interface Overriding {
  readonly adapter: AgentAdapter;
  readonly before: SessionOverrides;
  readonly patch: OverridesPatch;
}

/** The overrides after the patch, if the agent has a way for them. @throws INVALID_ARGUMENT, naming the agents that have */
export function mergedFor(ctx: Pick<Context, "agentList">, { adapter, before, patch }: Overriding): SessionOverrides {
  for (const field of OVERRIDE_FIELDS) if (patch[field] !== undefined && patch[field] !== null) requireWay(ctx, { adapter, field });
  const after = mergeOverrides(before, patch);
  const { efforts, problem } = adapter.overrides ?? {};
  const effort = after.reasoning_effort;
  if (typeof patch.reasoning_effort === "string" && effort !== undefined && efforts !== undefined && !efforts.includes(effort)) {
    throw new TmpmError("INVALID_ARGUMENT", `${adapter.title} knows no reasoning_effort ${JSON.stringify(effort)}`, {
      hint: `It has ${efforts.join(", ")}.`,
      details: { field: "reasoning_effort", allowed: efforts },
    });
  }
  const wrong = problem?.(after) ?? null;
  if (wrong !== null) throw new TmpmError("INVALID_ARGUMENT", wrong, { details: { overrides: after } });
  return after;
}

function requireWay(
  ctx: Pick<Context, "agentList">,
  { adapter, field }: { readonly adapter: AgentAdapter; readonly field: OverrideField },
): void {
  if (adapter.overrides?.fields.includes(field)) return;
  const able = (ctx.agentList?.() ?? []).filter(({ overrides }) => overrides?.fields.includes(field));
  const names = able.map(({ title }) => title).join(", ");
  throw new TmpmError("INVALID_ARGUMENT", `${adapter.title} has no way to be given a ${field}`, {
    hint: names === "" ? "No agent has." : `These have: ${names}.`,
    details: { field, agent: adapter.id, agents: able.map(({ id }) => id) },
  });
}

/** What a patch concerns: the fields that it names, and those that change with them. */
export function concerned({
  before,
  after,
  patch,
}: {
  readonly before: SessionOverrides;
  readonly after: SessionOverrides;
  readonly patch: OverridesPatch;
}): readonly OverrideField[] {
  const changed = changedOverrides(before, after);
  return OVERRIDE_FIELDS.filter((field) => patch[field] !== undefined || changed.includes(field));
}
