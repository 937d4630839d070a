import type { SessionRecord } from "@tmpm/core";
import { ao, aoFile, aoIsRestorable, aoIsTerminal } from "@tmpm/core/compat/ao";
import { describe, expect, test } from "vitest";
import { aRecord, ID, PANE } from "../a-record.js";

const PARENT = "367c6c51-1025-419c-b6d6-be9a753e8914";
const DERIVED = "00000000-0000-5000-8000-000000000000";
const asked: string[] = [];
const codec = ao({
  idOf: (foreign) => {
    asked.push(foreign);
    return DERIVED;
  },
});

/** Every key of ao-rs 1.1, in the order in which serde writes them. */
const WRITTEN = {
  id: ID,
  project_id: "demo",
  status: "review_pending",
  agent: "claude-code",
  agent_config: {
    permissions: "auto-edit",
    rules: "be brief",
    rules_file: "rules.md",
    model: "opus",
    orchestratorModel: "sonnet",
    opencodeSessionId: "oc-1",
  },
  branch: "ao-550e8400",
  task: "fix the build",
  workspace_path: "/home/ada/.worktrees/demo/550e8400",
  runtime_handle: "550e8400",
  runtime: "tmux",
  activity: "idle",
  created_at: 1_700_000_000_123,
  cost: { input_tokens: 1, output_tokens: 2, cache_read_tokens: 3, cache_creation_tokens: 4, cost_usd: 0.25 },
  issue_id: "42",
  issue_url: "https://example.org/42",
  claimed_pr_number: 7,
  claimed_pr_url: "https://example.org/pr/7",
  initial_prompt_override: "go",
  spawned_by: PARENT,
  last_merge_conflict_dispatched: true,
  last_review_backlog_fingerprint: 18446744073709551615n,
  last_automated_review_fingerprint: 12,
  last_automated_review_dispatch_hash: 9007199254740993n,
};
const MINIMAL = { id: ID, project_id: "demo", status: "working", branch: "main", task: "t", created_at: 1000 };

function keysAndValues(document: object) {
  return Object.entries(document);
}

describe("ao session document", () => {
  test("round-trips key for key, in order, with exact integers (ao case 20)", () => {
    expect(keysAndValues(codec.encodeSession(codec.decodeSession(WRITTEN)))).toEqual(keysAndValues(WRITTEN));
  });

  test("fills defaults when minimal, writes three nulls and omits other optional keys (ao case 22)", () => {
    const session = codec.decodeSession(MINIMAL);
    expect(session).toMatchObject({
      agent: "claude-code",
      runtime: "tmux",
      agent_config: null,
      cost: null,
      issue_id: null,
      spawned_by: null,
    });
    expect(codec.encodeSession(session)).toEqual({
      ...MINIMAL,
      ...{ agent: "claude-code", runtime: "tmux", workspace_path: null, runtime_handle: null, activity: null },
    });
  });

  test("keeps unknown fields at every level (ao case 19)", () => {
    const odd = {
      ...WRITTEN,
      cost: { ...WRITTEN.cost, euros: 1 },
      agent_config: { permissions: "suggest", mood: null },
      future: { a: [1] },
    };
    expect(codec.encodeSession(codec.decodeSession(odd))).toMatchObject({
      cost: { euros: 1 },
      agent_config: { permissions: "suggest" },
      future: { a: [1] },
    });
  });

  test("fills defaults in cost and configuration, and reads the alias of rules_file", () => {
    const session = codec.decodeSession({
      ...MINIMAL,
      cost: { input_tokens: 1, output_tokens: 2 },
      agent_config: { "rules-file": "r.md" },
    });
    expect(codec.encodeSession(session)).toMatchObject({
      cost: { input_tokens: 1, output_tokens: 2, cache_read_tokens: 0, cache_creation_tokens: 0, cost_usd: null },
      agent_config: { permissions: "permissionless", rules_file: "r.md" },
    });
    expect(codec.encodeSession(session).agent_config).toEqual({ permissions: "permissionless", rules_file: "r.md" });
  });

  test.each([
    [12, "12"],
    ["0xff", "255"],
    ["18446744073709551615", "18446744073709551615"],
  ])("reads the fingerprint %j as %s", (written, text) => {
    expect(codec.decodeSession({ ...MINIMAL, last_review_backlog_fingerprint: written }).last_review_backlog_fingerprint).toBe(text);
  });

  test.each([
    ["id", ""],
    ["id", undefined],
    ["project_id", null],
    ["status", "detecting"],
    ["status", "Working"],
    ["branch", null],
    ["task", 5],
    ["activity", "busy"],
    ["created_at", "2026-01-01"],
    ["created_at", -1],
    ["created_at", 1e18],
    ["claimed_pr_number", 2 ** 32],
    ["last_merge_conflict_dispatched", "yes"],
    ["last_review_backlog_fingerprint", "18446744073709551616"],
    ["last_review_backlog_fingerprint", 2 ** 60],
    ["last_review_backlog_fingerprint", "-1"],
    ["workspace_path", 1],
  ])("rejects %s %j and names the field", (field, value) => {
    for (const read of [codec.decodeSession, codec.decodeRecord]) {
      expect(() => read({ ...WRITTEN, [field]: value })).toThrow(
        expect.objectContaining({ code: "INVALID_ARGUMENT", details: { field }, message: expect.stringContaining(field) }),
      );
    }
  });

  test.each([
    [{ cost: { input_tokens: 1 } }, "cost.output_tokens"],
    [{ agent_config: { permissions: "all" } }, "agent_config.permissions"],
    [{ tmpm: { state: 5 } }, "tmpm.state"],
    [{ tmpm: { schema_version: 2 } }, "tmpm.schema_version"],
  ])("rejects %j and names %s", (change, field) => {
    expect(() => codec.decodeRecord({ ...WRITTEN, ...change })).toThrow(expect.objectContaining({ details: { field } }));
  });
});

describe("ao permissions", () => {
  test.each([
    ["claude-code", "permissionless", "bypassPermissions"],
    ["claude-code", "default", "default"],
    ["claude-code", "auto-edit", "acceptEdits"],
    ["claude-code", "suggest", "plan"],
    ["codex", "permissionless", "danger-full-access"],
    ["codex", "default", undefined],
    ["codex", "auto-edit", "workspace-write"],
    ["codex", "suggest", "read-only"],
    ["cursor", "permissionless", undefined],
    ["aider", "suggest", undefined],
  ])("for %s, %s maps to %s and back", (agent, theirs, ours) => {
    const record = codec.decodeRecord({ ...WRITTEN, agent, agent_config: { permissions: theirs } });
    expect(record.agent_config.permissions).toBe(ours);
    expect(codec.encodeRecord(record).agent_config).toEqual({ permissions: theirs });
  });

  test.each([
    ["claude", "plan", "suggest"],
    ["claude", "bypassPermissions", "permissionless"],
    ["claude", "dontAsk", "default"],
    ["codex", "read-only", "suggest"],
  ])("for our session, %s with %s is written as %s", (agent, permissions, theirs) => {
    const document = codec.encodeRecord(aRecord({ agent, agent_config: { permissions }, overrides: { permissions } }));
    expect(document.agent_config).toEqual({ permissions: theirs });
    expect(codec.decodeRecord(document)).toMatchObject({ agent_config: { permissions }, overrides: { permissions } });
  });

  test("writes changed permissions instead of those that were read", () => {
    const record = codec.decodeRecord({ ...WRITTEN, agent_config: { permissions: "permissionless" } });
    const changed = { ...record, agent_config: { permissions: "plan" }, overrides: { permissions: "plan" } };
    expect(codec.encodeRecord(changed).agent_config).toEqual({ permissions: "suggest" });
  });
});

describe("terminal ao session", () => {
  const live = [
    "spawning",
    "working",
    "pr_open",
    "ci_failed",
    "review_pending",
    "changes_requested",
    "approved",
    "mergeable",
    "merge_failed",
  ];
  const other = ["needs_input", "stuck", "idle"];
  const restorable = ["cleanup", "errored", "killed", "done", "terminated"];

  test.each([
    ...[...live, ...other].map((status) => [status, null, false, false] as const),
    ...restorable.map((status) => [status, null, true, true] as const),
    ["merged", null, true, false] as const,
    ["working", "exited", true, true] as const,
    ["merged", "exited", true, false] as const,
  ])("status %s with activity %s: terminal %s, restorable %s (ao case 21)", (status, activity, terminal, canRestore) => {
    const session = codec.decodeSession({ ...MINIMAL, status, activity });
    expect([aoIsTerminal(session), aoIsRestorable(session)]).toEqual([terminal, canRestore]);
  });

  test.each([
    ["spawning", null, "provisioning", null],
    ["working", "waiting_input", "active", null],
    ["stuck", null, "active", null],
    ["pr_open", "exited", "stopped", "unexpected"],
    ["killed", null, "stopped", "deliberate"],
    ["killed", "exited", "stopped", "deliberate"],
    ["done", null, "stopped", "deliberate"],
    ["errored", null, "errored", null],
    ["merged", null, "decommissioned", null],
  ])("status %s with activity %s maps to state %s, cause %s, and back", (status, activity, state, stop_cause) => {
    const record = codec.decodeRecord({ ...MINIMAL, status, activity });
    expect(record).toMatchObject({ state, stop_cause });
    expect(codec.encodeRecord(record)).toMatchObject({ status, activity });
  });
});

describe("ao session as a record", () => {
  test("maps shared fields to ours and keeps the rest under ao", () => {
    expect(codec.decodeRecord({ ...WRITTEN, future: 1 })).toMatchObject({
      id: ID,
      project_id: "demo",
      name: "550e8400",
      tmux_name: "550e8400",
      cwd: WRITTEN.workspace_path,
      workspace_path: WRITTEN.workspace_path,
      workspace_owned: false,
      agent: "claude",
      agent_config: { model: "opus", permissions: "acceptEdits" },
      branch: "ao-550e8400",
      created_at: "2023-11-14T22:13:20.123Z",
      updated_at: "2023-11-14T22:13:20.123Z",
      cost: WRITTEN.cost,
      issue_id: "42",
      claimed_pr_number: 7,
      spawned_by: PARENT,
      ao: { status: "review_pending", activity: "idle", last_review_backlog_fingerprint: "18446744073709551615", future: 1 },
    });
  });

  test("round-trips key for key", () => {
    const { tmpm: _tmpm, ...document } = codec.encodeRecord(codec.decodeRecord({ ...WRITTEN, future: { a: null } }));
    expect(document).toEqual({ ...WRITTEN, future: { a: null } });
  });

  test("derives ids for a foreign id and project, and writes back the original ones", () => {
    asked.length = 0;
    const foreign = { ...MINIMAL, id: "app-orchestrator-1", project_id: ".my.app", spawned_by: "app-orchestrator-2", branch: "" };
    const record = codec.decodeRecord(foreign);
    expect(record).toMatchObject({ id: DERIVED, project_id: "my-app", name: "app-orchestrator-1", branch: null, cwd: "/unknown" });
    expect(record.spawned_by).toBe(DERIVED);
    expect(asked).toEqual([".my.app/app-orchestrator-1", ".my.app/app-orchestrator-2"]);
    expect(codec.encodeRecord(record)).toMatchObject(foreign);
  });

  test("keeps its status while stopped, and is killed without a handle once tmpm launched it", () => {
    const stopped: SessionRecord = { ...codec.decodeRecord(WRITTEN), state: "stopped", stop_cause: "unexpected" };
    expect(codec.encodeRecord(stopped)).toMatchObject({ status: "review_pending", activity: "idle", runtime_handle: "550e8400" });
    const launched: SessionRecord = { ...stopped, state: "active", stop_cause: null, launched_at: "2026-01-01T00:00:00Z" };
    expect(codec.encodeRecord(launched)).toMatchObject({ status: "killed", activity: null, runtime_handle: null });
    expect(codec.encodeRecord({ ...stopped, stop_cause: "deliberate" })).toMatchObject({ status: "killed" });
  });
});

describe("tmpm record in ao format", () => {
  const ours = aRecord({
    pane: PANE,
    pid: 42,
    task: "t",
    branch: "main",
    cost: { input_tokens: 1, output_tokens: 2 },
    launched_at: "2026-01-02T03:04:05Z",
    agent_config: { model: "opus", search_path: "/bin" },
    spawned_by: PARENT,
    last_lines: ["$"],
    future: { a: 1 },
  });

  test("round-trips, including fields that ao does not know", () => {
    const { future: _future, ...known } = ours;
    expect(codec.decodeRecord(codec.encodeRecord(ours))).toMatchObject(known);
  });

  test("is written as killed or errored, with no additional permissions", () => {
    expect(codec.encodeRecord(ours)).toMatchObject({ status: "killed", agent_config: { permissions: "default", model: "opus" } });
    expect(codec.encodeRecord(ours).agent_config).not.toHaveProperty("search_path");
    expect(codec.encodeRecord({ ...ours, state: "errored" })).toMatchObject({ status: "errored" });
    expect(codec.encodeRecord(aRecord())).not.toHaveProperty("agent_config");
  });

  test("exports a workspace only if it may be removed", () => {
    const workspace_path = "/home/ada/demo";
    expect(codec.encodeRecord({ ...ours, workspace_path })).toMatchObject({ workspace_path: null });
    expect(codec.decodeRecord(codec.encodeRecord({ ...ours, workspace_path }))).toMatchObject({ workspace_path });
    expect(codec.encodeRecord({ ...ours, workspace_path, workspace_owned: true })).toMatchObject({ workspace_path });
  });

  test.each([
    ["agent", { agent: "shell" }],
    ["created_at", { created_at: "1969-12-31T23:59:59Z" }],
  ])("rejects a record that ao cannot hold and names %s", (field, change) => {
    expect(() => codec.encodeRecord({ ...ours, ...change })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", details: { field } }),
    );
  });
});

describe("aoFile", () => {
  test("is in the project's folder, archived or not", () => {
    expect(aoFile({ id: ID, project_id: "my.app" }, { archived: false })).toBe(`sessions/my.app/${ID}.yaml`);
    expect(aoFile({ id: "p-orchestrator-1", project_id: "p" }, { archived: true })).toBe("sessions/p/.archive/p-orchestrator-1.yaml");
  });

  test.each(["../x", "/abs", "", ".", "..", ".archive", "a/b", "a\0b", "x".repeat(129), 5])("rejects %j (ao case 15)", (name) => {
    const refused = (field: string) => expect.objectContaining({ code: "INVALID_ARGUMENT", details: { field } });
    expect(() => aoFile({ id: name, project_id: "p" }, { archived: false })).toThrow(refused("id"));
    expect(() => aoFile({ id: ID, project_id: name }, { archived: false })).toThrow(refused("project_id"));
  });
});
