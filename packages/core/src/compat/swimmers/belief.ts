import * as z from "zod";
import { Rfc3339 } from "../../timestamp.js";
import { option } from "../wire.js";

/** A count that a number holds exactly. */
export const U64 = z.number().int().nonnegative();

const ActionCue = z.looseObject({
  kind: z.enum(["awaiting_user", "commit_ready", "validation_missing_after_edit", "dirty_check_missing"]),
  status: z.literal("active").optional(),
  source: z.literal("transcript").optional(),
  confidence: z.literal("deterministic").optional(),
});

/** What both documents say of an agent's thinking, each in its own order. */
export const belief = {
  token_count: U64,
  context_limit: U64,
  thought: option(z.string()),
  thought_state: z.enum(["holding", "active", "sleeping"]).default("holding"),
  thought_source: z.enum(["carry_forward", "llm", "static_sleeping"]).default("carry_forward"),
  rest_state: z.enum(["active", "drowsy", "sleeping", "deep_sleep"]).default("active"),
  commit_candidate: z.boolean().default(false),
  action_cues: z.array(ActionCue).default([]),
  objective_changed_at: option(Rfc3339),
  objective_fingerprint: z.unknown().default(null),
};
