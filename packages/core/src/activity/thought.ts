import * as z from "zod";
import { Timestamp } from "../time/timestamp.js";

export const ThoughtState = z.enum(["holding", "active", "sleeping"]);
export type ThoughtState = z.infer<typeof ThoughtState>;

export const ThoughtSource = z.enum(["carry_forward", "llm", "static_sleeping"]);
export type ThoughtSource = z.infer<typeof ThoughtSource>;

/** How long a session has been at rest, as swimmers 4.5 names it. */
export const RestState = z.enum(["active", "drowsy", "sleeping", "deep_sleep"]);
export type RestState = z.infer<typeof RestState>;

/** A request to the user in the agent's own transcript (swimmers 1.1). */
export const ActionCue = z.looseObject({
  kind: z.enum(["awaiting_user", "commit_ready", "validation_missing_after_edit", "dirty_check_missing"]),
  status: z.literal("active").optional(),
  source: z.literal("transcript").optional(),
  confidence: z.literal("deterministic").optional(),
});
export type ActionCue = z.infer<typeof ActionCue>;

const count = z.number().int().nonnegative();

/**
 * A session's current subject, from a provider of thoughts (swimmers 1.4). `token_count` and `context_limit` are in tokens, 0 when unknown.
 * `stream_instance_id` and `emission_seq` order the snapshots of one session; a sequence of 0 means none.
 */
export const ThoughtSnapshot = z.looseObject({
  thought: z.string().nullable().default(null),
  thought_state: ThoughtState.default("holding"),
  thought_source: ThoughtSource.default("carry_forward"),
  rest_state: RestState.default("active"),
  commit_candidate: z.boolean().default(false),
  action_cues: z.array(ActionCue).default([]),
  objective_changed_at: Timestamp.nullable().default(null),
  objective_fingerprint: z.unknown().default(null),
  token_count: count.default(0),
  context_limit: count.default(0),
  updated_at: Timestamp,
  stream_instance_id: z.string().nullable().default(null),
  emission_seq: count.default(0),
});
export type ThoughtSnapshot = z.infer<typeof ThoughtSnapshot>;

/** The order of one session's snapshots. */
export type ThoughtDelivery = Pick<ThoughtSnapshot, "stream_instance_id" | "emission_seq">;

/**
 * Whether a snapshot may replace the last delivered one. An older one of the same stream and the middle of a new stream may not (swimmers
 * 2.16).
 */
export function acceptsThought(current: ThoughtDelivery | null, incoming: ThoughtDelivery): boolean {
  const stream = current?.stream_instance_id ?? null;
  if (incoming.emission_seq === 0) return stream === null;
  if (incoming.stream_instance_id === null || stream === null) return true;
  if (incoming.stream_instance_id === stream) return incoming.emission_seq > (current?.emission_seq ?? 0);
  return incoming.emission_seq === 1;
}

const PLACEHOLDERS = ["sleeping", "sleeping."];

/**
 * The snapshot to keep after an accepted one: it carries the time of the last objective forward, and a mere sleep notice keeps the last
 * real thought (swimmers 2.13, 2.16).
 */
export function carryThought(previous: ThoughtSnapshot | null, incoming: ThoughtSnapshot): ThoughtSnapshot {
  const kept = { ...incoming, objective_changed_at: incoming.objective_changed_at ?? previous?.objective_changed_at ?? null };
  if (incoming.thought_source !== "static_sleeping") return kept;
  const real = [incoming.thought, previous?.thought ?? null].find((thought) => thought !== null && !isPlaceholder(thought));
  return { ...kept, thought: real ?? null, thought_source: "carry_forward" };
}

function isPlaceholder(thought: string): boolean {
  return PLACEHOLDERS.includes(thought.trim().toLowerCase());
}

/** A session's fields from its thoughts: those of a summary that a snapshot provides. */
export interface ThoughtSummary {
  readonly thought: string | null;
  readonly thought_state: ThoughtState;
  readonly thought_source: ThoughtSource;
  readonly thought_updated_at: Timestamp | null;
  readonly rest_state: RestState;
  readonly commit_candidate: boolean;
  readonly action_cues: readonly ActionCue[];
  readonly objective_changed_at: Timestamp | null;
  readonly token_count: number;
  readonly context_limit: number;
}

/** The summary merged with a snapshot: its own thought and counts are kept against none and zero (swimmers 2.10, W37). */
export function withThought(summary: ThoughtSummary, snapshot: ThoughtSnapshot): ThoughtSummary {
  const { thought, updated_at, token_count, context_limit } = snapshot;
  return {
    thought: summary.thought ?? thought,
    thought_state: snapshot.thought_state,
    thought_source: snapshot.thought_source,
    thought_updated_at: updated_at,
    rest_state: snapshot.rest_state,
    commit_candidate: snapshot.commit_candidate,
    action_cues: snapshot.action_cues,
    objective_changed_at: snapshot.objective_changed_at,
    token_count: token_count > 0 || summary.token_count === 0 ? token_count : summary.token_count,
    context_limit: context_limit > 0 ? context_limit : summary.context_limit,
  };
}
