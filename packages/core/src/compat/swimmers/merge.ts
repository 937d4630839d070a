import type { PersistedSession } from "./persisted-session.js";
import type { PersistedThought } from "./persisted-thought.js";

export function withThought(session: PersistedSession, snapshot: PersistedThought): PersistedSession {
  const { updated_at, thought, token_count, context_limit, objective_changed_at, objective_fingerprint, ...rest } = snapshot;
  return {
    ...session,
    ...rest,
    thought: thought ?? session.thought,
    thought_updated_at: updated_at,
    token_count: token_count || session.token_count,
    context_limit: context_limit || session.context_limit,
    objective_changed_at: objective_changed_at ?? session.objective_changed_at,
    objective_fingerprint: objective_fingerprint ?? session.objective_fingerprint,
  };
}
