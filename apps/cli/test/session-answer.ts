import { SessionAnswer } from "@tmpm/api";

/** A session as in the daemon's responses, checked against the contract. */
export function sessionAnswer(changes: Record<string, unknown> = {}): SessionAnswer {
  return SessionAnswer.parse({
    id: "11111111-2222-4333-8444-555555555555",
    name: "demo2",
    tmux_name: "tmpm-demo2",
    cwd: "/home/me/work",
    workdir: "/home/me/work",
    state: "active",
    status: "Active",
    control: "Tmux",
    active_delegations: 0,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    last_seen: "2026-01-01T00:00:00Z",
    agent: "shell",
    viewers: 0,
    decision: null,
    turn: null,
    queued: 0,
    hint: null,
    thought: {
      thought: null,
      thought_state: "holding",
      thought_source: "carry_forward",
      thought_updated_at: null,
      rest_state: "active",
      commit_candidate: false,
      action_cues: [],
      objective_changed_at: null,
      token_count: 0,
      context_limit: 128_000,
    },
    activity: {
      state: "idle",
      source: "process",
      confidence: 0.9,
      since: "2026-01-01T00:00:00Z",
      observed_at: "2026-01-01T00:00:57Z",
      expires_at: null,
      evidence: ["the shell is in the foreground"],
      limit: null,
    },
    ...changes,
  });
}
