import { type SessionRecord, SessionState, StopCause } from "@tmpm/core";
import { trustyMpm } from "@tmpm/core/compat/trusty-mpm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anySlug, anyTimestamp, aRecord, ID, PANE } from "../a-record.js";
import { forAll } from "../for-all.js";

const SOCKET = "/tmp/tmux-1000/default";
const codec = trustyMpm({ now: () => "2026-03-04T05:06:07Z" });
const sharing = trustyMpm({ now: () => "2026-03-04T05:06:07Z", socket: SOCKET });

/** A record as release 0.8.0 writes it: 14 fields, in this order. */
const WRITTEN = {
  id: ID,
  tmux_name: "tmpm-api",
  cwd: "/home/ada/api",
  task: "fix the build",
  state: "stopped",
  created_at: "2023-11-14T22:13:20.123456789Z",
  last_activity_at: "2023-11-14T22:13:21Z",
  workspace_path: "/home/ada/workspaces/api",
  repo_url: "https://example.org/api.git",
  branch: "main",
  pending_decision: "overwrite?",
  proposed_default: "no",
  correlation: { worktree: "/home/ada/workspaces/api", branch: "main", pr_id: 7, issue_id: 42 },
  runtime: "claude-code",
};
/** Fields of later releases, at their defaults. */
const LATER = {
  ephemeral: false,
  workspace_owned: false,
  source_id: null,
  scrollback_path: null,
  last_cwd: null,
  deliverable_id: null,
  worktree_owner: null,
  terminal_at: null,
  claude_session_id: null,
  pane_id: null,
  tmux_server: null,
  stop_cause: null,
};

describe("managed session record", () => {
  test("fills defaults for runtime and correlation, and saves any offset as Z (trusty case 6)", () => {
    const { runtime: _runtime, correlation: _correlation, ...old } = WRITTEN;
    const record = codec.decodeRecord({ ...old, created_at: "2023-11-14T23:13:20.5+01:00" });
    expect(record).toMatchObject({ agent: "claude", correlation: { worktree: null, branch: null, pr_id: null, issue_id: null } });
    expect(codec.encodeRecord(record)).toMatchObject({
      runtime: "claude-code",
      correlation: { worktree: null, branch: null, pr_id: null, issue_id: null },
      created_at: "2023-11-14T22:13:20.500Z",
    });
  });

  test("keeps its scrollback path, which our records do not have (1.2)", () => {
    const kept = codec.decodeRecord({ ...WRITTEN, scrollback_path: "/home/ada/.trusty-mpm/a.log" });
    expect(codec.encodeRecord(kept)).toMatchObject({ scrollback_path: "/home/ada/.trusty-mpm/a.log" });
    expect(codec.decodeRecord(codec.encodeRecord(kept))).toEqual(kept);
    expect(codec.decodeRecord({ ...WRITTEN, scrollback_path: null })).not.toHaveProperty("scrollback_path");
  });

  test("reads null for every field missing from an old document", () => {
    const { id, tmux_name, cwd, task, state, created_at } = WRITTEN;
    const { tmpm: _tmpm, ...document } = codec.encodeRecord(codec.decodeRecord({ id, tmux_name, cwd, task, state, created_at }));
    expect(document).toEqual({
      ...{ id, tmux_name, cwd, task, state, created_at },
      ...{ last_activity_at: null, workspace_path: null, repo_url: null, branch: null, pending_decision: null, proposed_default: null },
      ...{ correlation: { worktree: null, branch: null, pr_id: null, issue_id: null }, runtime: "claude-code" },
      ...LATER,
    });
  });

  test("round-trips byte for byte, its 14 fields first and in order", () => {
    const { tmpm: _tmpm, ...document } = codec.encodeRecord(codec.decodeRecord(WRITTEN));
    expect(JSON.stringify(document)).toBe(JSON.stringify({ ...WRITTEN, ...LATER }));
  });

  test("maps to a tmpm record", () => {
    expect(codec.decodeRecord({ ...WRITTEN, claude_session_id: "conv-1", terminal_at: "2023-11-15T00:00:00+00:00" })).toMatchObject({
      id: ID,
      name: "api",
      tmux_name: "tmpm-api",
      agent: "claude",
      conversation_id: "conv-1",
      updated_at: WRITTEN.last_activity_at,
      terminal_at: "2023-11-15T00:00:00Z",
      rev: 0,
      project_id: "default",
      control: "Tmux",
      origin: "tmux",
    });
  });

  test.each([
    ["tmpm-api", "api"],
    ["tm-api-01", "tm-api-01"],
    ["my session", "my-session"],
    ["日本語", "session"],
    [`tmpm-${"x".repeat(64)}`, `tmpm-${"x".repeat(15)}`],
  ])("tmux session %s gets the name %s and keeps its tmux name", (tmux_name, name) => {
    const record = codec.decodeRecord({ ...WRITTEN, tmux_name });
    expect(record.name).toBe(name);
    expect(codec.encodeRecord(record).tmux_name).toBe(tmux_name);
  });

  test.each([
    ["claude-code", "claude"],
    ["tcode", "tcode"],
  ])("runtime %s maps to agent %s and back", (runtime, agent) => {
    const record = codec.decodeRecord({ ...WRITTEN, runtime });
    expect(record.agent).toBe(agent);
    expect(codec.encodeRecord(record).runtime).toBe(runtime);
  });

  test.each([
    ["state", "paused"],
    ["state", "Active"],
    ["runtime", "claude"],
    ["runtime", "gpt"],
    ["created_at", { secs_since_epoch: 1, nanos_since_epoch: 0 }],
    ["created_at", "2023-11-14"],
    ["task", null],
    ["stop_cause", "Bored"],
  ])("rejects %s %j and names the field", (field, value) => {
    expect(() => codec.decodeRecord({ ...WRITTEN, [field]: value })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(field), details: { field } }),
    );
  });

  test.each([
    [{ correlation: { pr_id: -1 } }, "correlation.pr_id"],
    [{ correlation: { issue_id: 2 ** 53 } }, "correlation.issue_id"],
    [{ tmpm: { pane: { pane_id: "5" } } }, "tmpm.pane.socket"],
    [{ tmpm: { schema_version: 2 } }, "tmpm.schema_version"],
    [{ tmpm: "x" }, "tmpm"],
  ])("rejects %j and names %s", (change, field) => {
    expect(() => codec.decodeRecord({ ...WRITTEN, ...change })).toThrow(expect.objectContaining({ details: { field } }));
  });
});

describe("fields known to one side only", () => {
  test("keeps their fields on the record under their own names, and round-trips them", () => {
    const theirs = { kind: "Ordinary", injection_status: "pending", future: { deep: [1, { a: null }] } };
    const record = codec.decodeRecord({ ...WRITTEN, ...theirs });
    expect(record).toMatchObject(theirs);
    expect(codec.encodeRecord(record)).toMatchObject(theirs);
    expect(codec.encodeRecord(record).future).toBe(theirs.future);
  });

  test("round-trips fields of theirs whose names we use otherwise, without reading them", () => {
    const theirs = { name: 42, pid: "none", agent: { x: 1 }, cost: "cheap", rev: "abc", trusty_mpm: "1.0" };
    const record = codec.decodeRecord({ ...WRITTEN, ...theirs });
    expect(record).toMatchObject({ name: "api", pid: null, agent: "claude", cost: null, rev: 0 });
    expect(codec.encodeRecord(record)).toMatchObject(theirs);
    expect(codec.decodeRecord(codec.encodeRecord(record))).toEqual(record);
  });

  test("round-trips their fields in correlation", () => {
    const record = codec.decodeRecord({ ...WRITTEN, correlation: { ...WRITTEN.correlation, team: "infra" } });
    expect(codec.encodeRecord(record).correlation).toEqual({ ...WRITTEN.correlation, team: "infra" });
  });

  test("writes ours under tmpm only, apart from theirs", () => {
    const record = aRecord({ rev: 9, project_id: "web", cost: { input_tokens: 1, output_tokens: 2 }, stop_cause: "unexpected" });
    const { tmpm, ...document } = codec.encodeRecord(record);
    expect(Object.keys(document)).toEqual([...Object.keys(WRITTEN), ...Object.keys(LATER)]);
    expect(tmpm).toMatchObject({ rev: 9, project_id: "web", stop_cause: "unexpected", name: "demo", schema_version: 1 });
  });

  test("never overwrites their fields with ours", () => {
    const record = aRecord({ runtime: "gpt", claude_session_id: 7, trusty_mpm: { state: "paused", rev: "theirs" } });
    expect(codec.encodeRecord(record)).toMatchObject({ runtime: "claude-code", claude_session_id: null, state: "active", rev: "theirs" });
  });

  test("keeps fields of a newer tmpm in place", () => {
    const document = { ...codec.encodeRecord(aRecord()), tmpm: { rev: 3, mood: "calm", cwd: "odd" } };
    const record = codec.decodeRecord(document);
    expect(record).toMatchObject({ rev: 3, cwd: "/home/ada/demo" });
    expect(codec.encodeRecord(record).tmpm).toMatchObject({ rev: 3, mood: "calm", cwd: "odd" });
  });
});

describe("stop cause", () => {
  test.each([
    ["Deliberate", "deliberate"],
    ["unexpected", "unexpected"],
    ["ResumeFlapping", "resume_flapping"],
    ["resume_flapping", "resume_flapping"],
  ])("reads %s in either case and writes it back unchanged", (stop_cause, ours) => {
    const record = codec.decodeRecord({ ...WRITTEN, stop_cause });
    expect(record.stop_cause).toBe(ours);
    expect(codec.encodeRecord(record).stop_cause).toBe(stop_cause);
  });

  test("writes null for a cause of ours, since readers differ in case", () => {
    const record: SessionRecord = { ...codec.decodeRecord({ ...WRITTEN, stop_cause: "Deliberate" }), stop_cause: "unexpected" };
    expect(codec.encodeRecord(record).stop_cause).toBeNull();
    expect(codec.decodeRecord(codec.encodeRecord(record)).stop_cause).toBe("unexpected");
  });
});

describe("tmux pane", () => {
  const theirs = { pane_id: "%5", tmux_server: "4242:1700000000" };

  test("maps to a full pane identity and back when the socket is known", () => {
    const record = sharing.decodeRecord({ ...WRITTEN, ...theirs });
    expect(record.pane).toEqual({ ...PANE, socket: SOCKET });
    expect(record).not.toHaveProperty("pane_id");
    expect(sharing.encodeRecord(record)).toMatchObject(theirs);
  });

  test.each([
    ["the socket is not known", theirs, codec],
    ["the server is not known", { pane_id: "%5" }, sharing],
    ["the server is not readable", { pane_id: "%5", tmux_server: "x" }, sharing],
    ["the pane id is not a pane id", { pane_id: "5", tmux_server: "4242:1700000000" }, sharing],
  ])("keeps their fields and sets no pane when %s", (_why, fields, reader) => {
    const record = reader.decodeRecord({ ...WRITTEN, ...fields });
    expect(record).toMatchObject({ pane: null, ...fields });
    expect(reader.encodeRecord(record)).toMatchObject(fields);
  });

  test("on another server is not written to their fields, and round-trips", () => {
    const document = sharing.encodeRecord(aRecord({ pane: PANE, pane_id: "%1" }));
    expect(document).toMatchObject({ pane_id: null, tmux_server: null });
    expect(sharing.decodeRecord(document).pane).toEqual(PANE);
  });
});

describe("values that trusty-mpm cannot read are not written", () => {
  test("rejects the state deleted, unless only later releases read the file", () => {
    const record = aRecord({ state: "deleted" });
    expect(() => codec.encodeRecord(record)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", details: { field: "state" } }));
    const later = trustyMpm({ now: () => "", release: "later" });
    expect(later.encodeRecord(record).state).toBe("deleted");
    expect(codec.decodeRecord(later.encodeRecord(record)).state).toBe("deleted");
  });

  test.each(["shell", "codex", "claude-code", "command"])("rejects the agent %s", (agent) => {
    expect(() => codec.encodeRecord(aRecord({ agent }))).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(agent), details: { field: "agent" } }),
    );
  });
});

test("every record that trusty-mpm can read round-trips", () => {
  const text = fc.option(fc.string());
  const anyRecord = fc
    .record({
      name: anySlug,
      tmux_name: fc.string({ unit: "grapheme" }),
      cwd: fc.string(),
      task: fc.string(),
      state: fc.constantFrom(...SessionState.options),
      created_at: anyTimestamp,
      updated_at: anyTimestamp,
      terminal_at: fc.option(anyTimestamp),
      agent: fc.constantFrom("claude", "tcode"),
      agent_config: fc.constantFrom({}, { model: "m", extra: [1] }),
      conversation_id: text,
      pane: fc.constantFrom(null, PANE, { ...PANE, socket: SOCKET }),
      stop_cause: fc.option(fc.constantFrom(...StopCause.options)),
      pending_decision: text,
      workspace_path: text,
      workspace_owned: fc.boolean(),
      ephemeral: fc.boolean(),
      last_lines: fc.array(fc.string()),
      correlation: fc.record({ worktree: text, branch: text, pr_id: fc.option(fc.nat()), issue_id: fc.option(fc.nat()) }),
      unheard_of: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))),
    })
    .map((changes) => aRecord(changes));
  for (const options of [{ release: "later" as const }, { release: "later" as const, socket: SOCKET }]) {
    const reader = trustyMpm({ now: () => "", ...options });
    forAll([anyRecord], (record) => {
      expect(reader.decodeRecord(JSON.parse(JSON.stringify(reader.encodeRecord(record))))).toEqual(record);
    });
  }
});
