import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ZEROCLAW_SCHEMA } from "../packages/store/test/zeroclaw-database.js";

/** Documents as written by the Rust programs, with values that they allow and tmpm never writes. `cwd` is an existing folder. */
export interface References {
  readonly folder: string;
  readonly cwd: string;
}

function write({ folder }: References, file: string, text: string): string {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** serde_json's pretty format does not end with a line feed. */
function pretty(document: unknown): string {
  return JSON.stringify(document, undefined, 2);
}

export const TRUSTY_ID = "550e8400-e29b-41d4-a716-446655440000";

/** A managed session with every field of the later releases, in the order of the Rust struct. */
export function trustySession({ cwd }: References) {
  return {
    id: TRUSTY_ID,
    tmux_name: "tmpm-ünïcode #1",
    cwd,
    task: 'tab\there, line\u2028end, ünïcode 😀, quote " and \\ [error: x]',
    state: "stopped",
    created_at: "2023-11-14T22:13:20.123456789Z",
    last_activity_at: "2023-11-14T22:13:21Z",
    workspace_path: null,
    repo_url: "https://example.org/api.git",
    branch: "feature/odd",
    pending_decision: "overwrite?",
    proposed_default: "no",
    correlation: { worktree: null, branch: "feature/odd", pr_id: 7, issue_id: 42 },
    runtime: "claude-code",
    ephemeral: true,
    workspace_owned: false,
    source_id: "ada/api",
    scrollback_path: "/home/ada/.trusty-mpm/scrollback/a b.log",
    last_cwd: "/home/ada/api/src",
    deliverable_id: "d-9",
    worktree_owner: "somebody",
    terminal_at: null,
    claude_session_id: "0f0e0d0c-0b0a-4908-8706-050403020100",
    pane_id: "%5",
    tmux_server: "4242:1700000000",
    stop_cause: "ResumeFlapping",
    injection_status: "failed_session_died",
    kind: "Ordinary",
    future_field: { odd: [1, null, 0.5], "": false },
  };
}

export function writeTrusty(references: References): string {
  const session = trustySession(references);
  write(references, "trusty/sessions.json", pretty({ sessions: { [session.id]: session } }));
  return join(references.folder, "trusty");
}

export const REGISTRY_ID = "650e8400-e29b-41d4-a716-446655440001";

/** The core registry's response to `GET /sessions`: compact, its times as `SystemTime` objects. */
export function writeRegistry(references: References): string {
  const session = {
    id: REGISTRY_ID,
    workdir: references.cwd,
    status: "Paused",
    control: "Tmux",
    active_delegations: 4_294_967_295,
    tmux_name: "tmpm-quiet-falcon",
    created_at: { secs_since_epoch: 1_700_000_000, nanos_since_epoch: 1 },
    last_seen: { secs_since_epoch: 1_700_000_100, nanos_since_epoch: 0 },
    project_path: null,
    paused_at: { secs_since_epoch: 1_700_000_050, nanos_since_epoch: 500_000_000 },
    pause_summary: "",
    origin: "native",
    pid: 4242,
  };
  return write(references, "registry.json", JSON.stringify({ sessions: [session] }));
}

/** The registry as `text`, which must be restored unchanged, and its folder. */
export function writeSwimmers(references: References): { readonly path: string; readonly text: string } {
  const session = {
    session_id: "sess_07",
    tmux_name: "fix #42",
    tmux_target: { type: "socket_name", value: "work" },
    state: "attention",
    tool: "Claude Code",
    token_count: 44,
    context_limit: 200000,
    thought: "reading logs",
    thought_state: "holding",
    thought_source: "llm",
    thought_updated_at: "2026-01-02T03:04:05.123Z",
    rest_state: "drowsy",
    commit_candidate: true,
    action_cues: [{ kind: "commit_ready", status: "active", source: "transcript", confidence: "deterministic" }],
    objective_changed_at: null,
    last_skill: "review",
    objective_fingerprint: { hash: "deadbeef" },
    cwd: references.cwd,
    last_activity_at: "2026-01-02T03:04:05.123456789Z",
  };
  const text = pretty([session]);
  write(references, "swimmers/session_registry.json", text);
  return { path: join(references.folder, "swimmers"), text };
}

export const AO_ID = "750e8400-e29b-41d4-a716-446655440002";

/** serde_yaml quotes only values that would otherwise have another type. */
export function writeAo(references: References): string {
  const { cwd } = references;
  const worker = `id: ${AO_ID}
project_id: my.app
status: killed
agent: claude-code
agent_config:
  permissions: permissionless
  orchestratorModel: opus
branch: ''
task: 'yes: #42'
workspace_path: ${cwd}
runtime_handle: 750e8400
runtime: tmux
activity: exited
created_at: 1700000000123
cost:
  input_tokens: 1
  output_tokens: 2
  cache_read_tokens: 0
  cache_creation_tokens: 0
  cost_usd: null
issue_id: '42'
spawned_by: my-orchestrator-1
last_merge_conflict_dispatched: true
last_review_backlog_fingerprint: 18446744073709551615
odd: 1
`;
  write(references, `ao/sessions/my.app/${AO_ID}.yaml`, worker);
  const merged = `id: my-orchestrator-1
project_id: my.app
status: merged
agent: claude-code
branch: ao-1
task: |-
  two
  lines
workspace_path: null
runtime_handle: null
runtime: tmux
activity: null
created_at: 1690000000123
`;
  write(references, "ao/sessions/my.app/.archive/my-orchestrator-1.yaml", merged);
  return join(references.folder, "ao");
}

export const ZEROCLAW_ID = "850e8400-e29b-41d4-a716-446655440003";
export const ZEROCLAW_PROMPT = 'say "it\'s" \\ ünïcode 😀\n\n  and keep two spaces  ';

/** Two durable sessions, one of them killed. Needs `sqlite3`. */
export function writeZeroclaw(references: References): string {
  const { folder, cwd } = references;
  const path = join(folder, "zeroclaw/sessions/acp-sessions.db");
  mkdirSync(dirname(path), { recursive: true });
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
  const time = "'2026-01-02T03:04:05.123456789+00:00'";
  const sql = `${ZEROCLAW_SCHEMA}
INSERT INTO acp_sessions VALUES (1, ${text(ZEROCLAW_ID)}, 'claude', ${text(cwd)}, 9007199254740993, NULL, '[]', ${time}, ${time});
INSERT INTO acp_sessions VALUES (2, '950e8400-e29b-41d4-a716-446655440004', 'Gone Agent', '/w', 0, ${time}, NULL, ${time}, ${time});
INSERT INTO acp_messages(session_id, role, content, reasoning_content, created_at) VALUES (1, 'system', 'You are', NULL, ${time}),
  (1, 'user', ${text(ZEROCLAW_PROMPT)}, NULL, ${time}), (1, 'assistant', 'looking', 'hm', ${time}), (1, 'assistant', 'It''s', NULL, ${time}),
  (2, 'user', 'hello', NULL, ${time});`;
  execFileSync("sqlite3", [path], { input: sql });
  return join(folder, "zeroclaw");
}
