import * as z from "zod";
import { ActionCue, RestState, ThoughtSource, ThoughtState } from "../../activity/thought.js";
import { Rfc3339 } from "../../time/timestamp.js";
import { option, U64 } from "../wire.js";

/** Fields about the agent's thinking in both documents, each in its own order. */
export const belief = {
  token_count: U64,
  context_limit: U64,
  thought: option(z.string()),
  thought_state: ThoughtState.default("holding"),
  thought_source: ThoughtSource.default("carry_forward"),
  rest_state: RestState.default("active"),
  commit_candidate: z.boolean().default(false),
  action_cues: z.array(ActionCue).default([]),
  objective_changed_at: option(Rfc3339),
  objective_fingerprint: z.unknown().default(null),
};
