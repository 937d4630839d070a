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

/** A session's overrides. Older records, and imported ones, have model and permissions only in their agent's configuration. */
export function overridesOf({ agent_config, overrides }: Pick<SessionRecord, "agent_config" | "overrides">): SessionOverrides {
  return { ...inConfig(agent_config), ...overrides };
}

/** The record's new fields. Model and permissions are also in the agent's configuration, where older programs read them. */
export function withOverrides(
  config: SessionRecord["agent_config"],
  overrides: SessionOverrides,
): Pick<SessionRecord, "agent_config" | "overrides"> {
  const { model: _model, permissions: _permissions, ...others } = config;
  return { overrides, agent_config: { ...others, ...inConfig(overrides) } };
}

function inConfig({
  model,
  permissions,
}: Pick<SessionOverrides, "model" | "permissions">): Pick<SessionOverrides, "model" | "permissions"> {
  return { ...(model === undefined ? {} : { model }), ...(permissions === undefined ? {} : { permissions }) };
}

/** The configuration of the next launch. */
export function launchConfig(record: Pick<SessionRecord, "agent_config" | "overrides">): LaunchRequest["config"] {
  const { model: _model, permissions: _permissions, ...config } = record.agent_config;
  return { ...config, ...overridesOf(record) };
}

export interface Overriding {
  readonly adapter: AgentAdapter;
  readonly before: SessionOverrides;
  readonly patch: OverridesPatch;
}

/** The overrides after the patch, if the agent supports them. @throws INVALID_ARGUMENT, naming the agents that do */
export function mergedFor(ctx: Pick<Context, "agentList">, { adapter, before, patch }: Overriding): SessionOverrides {
  for (const field of OVERRIDE_FIELDS) if (patch[field] !== undefined && patch[field] !== null) requireWay(ctx, { adapter, field });
  const after = mergeOverrides(before, patch);
  const { efforts, problem } = adapter.overrides ?? {};
  const effort = after.reasoning_effort;
  if (typeof patch.reasoning_effort === "string" && effort !== undefined && efforts !== undefined && !efforts.includes(effort)) {
    throw new TmpmError("INVALID_ARGUMENT", `${adapter.title} does not have reasoning_effort ${JSON.stringify(effort)}`, {
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
  if (hasWay(adapter, field)) return;
  const able = (ctx.agentList?.() ?? []).filter((other) => hasWay(other, field));
  const names = able.map(({ title }) => title).join(", ");
  throw new TmpmError(
    "INVALID_ARGUMENT",
    `${adapter.title} does not support setting ${field === "permissions" ? "its permissions" : `a ${field}`}`,
    {
      hint: names === "" ? "No agent supports it." : `Agents that support it: ${names}.`,
      details: { field, agent: adapter.id, agents: able.map(({ id }) => id) },
    },
  );
}

function hasWay({ overrides, permissionsFlag }: AgentAdapter, field: OverrideField): boolean {
  return field === "permissions" ? permissionsFlag !== undefined : overrides?.fields.includes(field) === true;
}

/** The fields of a patch, and those that change with them. */
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
