import { contextLimitOf, restState, type SessionView, type ThoughtSummary, withThought } from "@tmpm/core";
import type { Context } from "../context.js";

/** A summary of a session's last thoughts; a working session is never shown asleep, even if its last thought is old. */
export function thoughtSummary(ctx: Pick<Context, "clock" | "thoughts">, view: SessionView): ThoughtSummary {
  const { record } = view;
  const snapshot = ctx.thoughts.get(record);
  const rest = restState(view, { nowMs: ctx.clock.now(), thought: snapshot?.rest_state ?? null });
  const own: ThoughtSummary = {
    thought: null,
    thought_state: "holding",
    thought_source: "carry_forward",
    thought_updated_at: null,
    rest_state: rest,
    commit_candidate: false,
    action_cues: [],
    objective_changed_at: null,
    token_count: record.cost?.input_tokens ?? 0,
    context_limit: contextLimitOf(record.agent),
  };
  return snapshot === null ? own : { ...withThought(own, snapshot), rest_state: rest };
}
