import { SessionAnswer } from "./session.js";

const AT = "2026-01-02T03:04:05Z";

/** The session of the examples: a shell that waits for input. Fields with defaults are filled in. */
export const EXAMPLE_SESSION = SessionAnswer.parse({
  rev: 3,
  id: "3b241101-e2bb-4255-8caf-4136c566a962",
  name: "demo",
  tmux_name: "tmpm-demo",
  cwd: "/home/me/api",
  workdir: "/home/me/api",
  state: "active",
  status: "Active",
  created_at: AT,
  updated_at: AT,
  launched_at: AT,
  last_activity_at: AT,
  last_seen_at: AT,
  last_seen: AT,
  agent: "shell",
  control: "Tmux",
  pane: { socket: "/run/user/1000/tmpm/tmux.sock", server_pid: 411, server_start: 1_767_323_045, pane_id: "%1" },
  pid: 412,
  active_delegations: 0,
  activity: {
    state: "idle",
    source: "screen",
    confidence: 0.9,
    since: AT,
    observed_at: AT,
    expires_at: null,
    evidence: ["a prompt is on the last line"],
    limit: null,
  },
  viewers: 0,
  decision: null,
  thought: {
    thought: null,
    thought_state: "holding",
    thought_source: "carry_forward",
    rest_state: "active",
    commit_candidate: false,
    action_cues: [],
    objective_changed_at: null,
    token_count: 0,
    context_limit: 0,
    thought_updated_at: null,
  },
  turn: null,
  queued: 0,
  hint: null,
});

export const EXAMPLE_STOPPED = {
  ...EXAMPLE_SESSION,
  rev: 5,
  state: "stopped",
  status: "Stopped",
  pane: null,
  pid: null,
  stop_cause: "deliberate",
  activity: { ...EXAMPLE_SESSION.activity, state: "exited", source: "record", confidence: 1, evidence: ["the record says stopped"] },
} as const satisfies SessionAnswer;
