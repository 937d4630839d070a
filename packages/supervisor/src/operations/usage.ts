import {
  addTokens,
  type ContextFill,
  isoDayOf,
  NO_TOKENS,
  type SessionRecord,
  TmpmError,
  type TokenCounts,
  type UsageRecord,
} from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { actorOf, seenBy } from "../grants/authorise.js";
import { projectIdOf } from "../projects/registry.js";
import type { ApplicableBudget } from "../usage/budgets.js";

export type UsageGrouping = "session" | "project" | "agent" | "day";

export interface UsageInput {
  readonly session?: string | undefined;
  readonly project_id?: string | undefined;
  readonly by?: UsageGrouping | undefined;
  /** The first day (UTC), as `2026-11-28`. */
  readonly since?: string | undefined;
  /** A session that asks for itself: without `session`, only what it sees, and its own budgets. */
  readonly actor?: string | null | undefined;
}

/** Usage of one model; null when the agent does not report which. */
export interface ModelUsage {
  readonly model: string | null;
  readonly requests: number;
  readonly tokens: TokenCounts;
}

export interface UsageGroup {
  /** A session's id, a project's, an agent's, or a day. */
  readonly key: string;
  readonly name: string;
  readonly models: readonly ModelUsage[];
  /** For a session; null otherwise, and when the agent does not report it. */
  readonly context: ContextFill | null;
  /** Bytes of existing transcripts that are not counted. */
  readonly skipped_bytes: number;
}

export interface Usage {
  readonly by: UsageGrouping;
  readonly groups: readonly UsageGroup[];
  /** For one session: those that apply to it. Otherwise all budgets. */
  readonly budgets: readonly ApplicableBudget[];
}

/**
 * Sessions' usage, including finished ones; grouped, by descending usage, days in order. @throws SESSION_NOT_FOUND, PROJECT_NOT_FOUND,
 * INVALID_ARGUMENT
 */
export async function usage(ctx: Context, input: UsageInput): Promise<Usage> {
  const { by = "session", since } = input;
  if (since !== undefined && isoDayOf(since) !== since)
    throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(since)} is not a day such as 2026-11-28`, { details: { field: "since" } });
  await ctx.usage.loaded();
  const { records, budgets } = await chosenBy(ctx, input);
  const groups = new Map<string, UsageGroup>();
  for (const record of records) {
    const used = ctx.usage.registry.get(record.id);
    if (used === null) continue;
    for (const { day, ...model } of used.days) {
      if (since !== undefined && day < since) continue;
      const { key, name } = groupOf(by, { record, day });
      const group = groups.get(key) ?? { key, name, models: [], context: null, skipped_bytes: 0 };
      groups.set(key, { ...group, models: withModel(group.models, model) });
    }
    noteSession(groups, { by, record, used });
  }
  const order = by === "day" ? (a: UsageGroup, b: UsageGroup) => a.key.localeCompare(b.key, "en") : byUse;
  return { by, groups: [...groups.values()].toSorted(order), budgets };
}

type Chosen = Pick<Usage, "budgets"> & { readonly records: readonly SessionRecord[] };

async function chosenBy(ctx: Context, { session, project_id, actor = null }: UsageInput): Promise<Chosen> {
  if (session !== undefined) {
    const record = await findSession(ctx, session);
    return { records: [record], budgets: await ctx.usage.budgets.of(record) };
  }
  const project = project_id === undefined ? undefined : await projectIdOf(ctx, project_id);
  const entries = await ctx.store.list({ archived: true, ...(project === undefined ? {} : { project_id: project }) });
  const records = entries.flatMap((entry) => (entry.kind === "session" ? [entry.record] : []));
  if (actor === null) return { records, budgets: await ctx.usage.budgets.all(project) };
  return { records: records.filter(await seenBy(ctx, actor)), budgets: await ctx.usage.budgets.of(await actorOf(ctx, actor)) };
}

function groupOf(by: UsageGrouping, { record, day }: { readonly record: SessionRecord; readonly day: string }) {
  switch (by) {
    case "session":
      return { key: record.id, name: record.name };
    case "project":
      return { key: record.project_id, name: record.project_id };
    case "agent":
      return { key: record.agent, name: record.agent };
    case "day":
      return { key: day, name: day };
  }
}

interface Noted {
  readonly by: UsageGrouping;
  readonly record: SessionRecord;
  readonly used: UsageRecord;
}

function noteSession(groups: Map<string, UsageGroup>, { by, record, used }: Noted): void {
  if (by !== "session") return;
  const group = groups.get(record.id);
  if (group !== undefined) groups.set(record.id, { ...group, context: used.context, skipped_bytes: used.skipped_bytes });
}

function withModel(models: readonly ModelUsage[], more: ModelUsage): readonly ModelUsage[] {
  const known = models.find(({ model }) => model === more.model);
  if (known === undefined) return [...models, more];
  const sum = { model: more.model, requests: known.requests + more.requests, tokens: addTokens(known.tokens, more.tokens) };
  return models.map((each) => (each === known ? sum : each));
}

function byUse(a: UsageGroup, b: UsageGroup): number {
  return weight(b) - weight(a) || a.name.localeCompare(b.name, "en");
}

function weight({ models }: UsageGroup): number {
  const { input, cache_read, cache_write, output } = models.reduce((sum, { tokens }) => addTokens(sum, tokens), NO_TOKENS);
  return input + cache_read + cache_write + output;
}
