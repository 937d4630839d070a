import { Activity, Event, EventBody, Receipt, SCHEMA_VERSION, Session, SessionRecord } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { aRecord, ID, PANE } from "../a-record.js";

const AT = "2026-02-03T04:05:06Z";
const SESSION = { id: ID, workdir: "/w", status: "Active", control: "Tmux", active_delegations: 0 };

describe("Session", () => {
  test("fills fields missing from a legacy document (trusty case 3)", () => {
    const before = Date.now();
    const session = Session.parse(SESSION);
    expect(session).toMatchObject({ origin: "tmux", pid: null, tmux_name: "", project_path: null, paused_at: null, pause_summary: null });
    expect(Date.parse(session.created_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(session.last_seen)).toBeLessThanOrEqual(Date.now());
  });

  test("reads SystemTime objects as RFC 3339", () => {
    const time = { secs_since_epoch: 1_700_000_000, nanos_since_epoch: 0 };
    expect(Session.parse({ ...SESSION, created_at: time, paused_at: time })).toMatchObject({
      created_at: "2023-11-14T22:13:20Z",
      paused_at: "2023-11-14T22:13:20Z",
    });
  });

  test.each(["id", "workdir", "status", "control", "active_delegations"])("requires %s", (field) => {
    expect(Session.safeParse({ ...SESSION, [field]: undefined }).error?.issues[0]?.path).toEqual([field]);
  });

  test("has a JSON Schema independent of its creation time", () => {
    expect(JSON.stringify(z.toJSONSchema(Session))).not.toMatch(/\d{4}-\d\d-\d\dT/);
  });
});

describe("SessionRecord", () => {
  test("fills defaults for every later field", () => {
    const { id, name, tmux_name, cwd, state, created_at, updated_at, agent, ...defaults } = aRecord();
    expect(defaults).toEqual({
      schema_version: 1,
      rev: 0,
      project_id: "default",
      project_path: null,
      task: "",
      launched_at: null,
      last_activity_at: null,
      last_seen_at: null,
      terminal_at: null,
      agent_config: {},
      overrides: {},
      conversation_id: null,
      conversation_note: null,
      control: "Tmux",
      origin: "tmux",
      pane: null,
      pid: null,
      intent: null,
      adopted: null,
      auto_resume: null,
      stop_cause: null,
      exit: null,
      last_lines: [],
      last_error: null,
      paused_at: null,
      pause_summary: null,
      viewed_at: null,
      pending_decision: null,
      proposed_default: null,
      workspace_path: null,
      workspace_owned: false,
      workspace: null,
      fork: null,
      finished: null,
      setup: null,
      ports: null,
      worktree_owner: null,
      repo_url: null,
      branch: null,
      correlation: { worktree: null, branch: null, pr_id: null, issue_id: null },
      issue_id: null,
      issue_url: null,
      claimed_pr_number: null,
      claimed_pr_url: null,
      spawned_by: null,
      owner: null,
      mode: null,
      group: null,
      cost: null,
      grant: null,
      lineage: null,
      lineage_budget: null,
      budget: null,
      ephemeral: false,
      notify: null,
      source_id: null,
      deliverable_id: null,
      last_cwd: null,
    });
  });

  test("does not share its defaults between records", () => {
    const first = aRecord();
    first.last_lines.push("changed");
    first.agent_config.model = "changed";
    first.correlation.branch = "changed";
    expect(aRecord()).toMatchObject({ last_lines: [], agent_config: {}, correlation: { branch: null } });
  });

  test("keeps unknown fields at every depth, with equal values", () => {
    const odd = { deep: [1, null, { x: "y" }], text: "1.0" };
    const exit = { status: 0, signal: null, at: AT, odd };
    const kept = aRecord({
      odd,
      exit,
      pane: { ...PANE, odd },
      intent: { op: "stop", step: "s", key: "k", at: AT, odd },
      last_error: { code: "X", message: "m", at: AT, odd },
      correlation: { odd },
      cost: { input_tokens: 1, output_tokens: 2, odd },
      agent_config: { odd },
    });
    expect(kept.odd).toBe(odd);
    for (const part of [kept.exit, kept.pane, kept.intent, kept.last_error, kept.correlation, kept.cost, kept.agent_config]) {
      expect(part).toMatchObject({ odd });
    }
    expect(SessionRecord.parse(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  });

  test.each([
    ["state", "paused"],
    ["stop_cause", "bored"],
    ["schema_version", SCHEMA_VERSION + 1],
    ["name", "../x"],
    ["project_id", "."],
    ["agent", "-x"],
    ["id", ID.toUpperCase()],
    ["pane", { ...PANE, pane_id: "5" }],
    ["rev", -1],
    ["created_at", "yesterday"],
  ])("rejects %s %j and names the field", (field, value) => {
    const result = SessionRecord.safeParse({ ...aRecord(), [field]: value });
    expect(result.error?.issues[0]?.path[0]).toBe(field);
  });
});

describe("Event", () => {
  const common = { seq: 1, at: AT, session_id: ID };
  const EVENTS = [
    { ...common, type: "session_created", name: "demo", agent: "shell" },
    { ...common, type: "session_state_changed", from: "active", to: "stopped", cause: "deliberate" },
    {
      ...common,
      type: "session_activity_changed",
      activity: {
        state: "idle",
        source: "hook",
        confidence: 1,
        since: AT,
        observed_at: AT,
        expires_at: null,
        evidence: ["Stop"],
        limit: null,
      },
    },
    { ...common, type: "session_renamed", from: "demo", to: "demo2" },
    { ...common, type: "session_adopted", name: "demo", tmux_name: "tmpm-demo", reason: "manual_tmux_adopt" },
    { ...common, type: "session_discovered", session_id: null, origin: "tmux", name: "work", server: "/tmp/tmux-0/default", pid: null },
    { ...common, type: "session_exited", status: 3, signal: null, last_line: "bye", reason: "process_exit" },
    { ...common, type: "session_stopped", cause: "deliberate", survivors: [42] },
    { ...common, type: "session_resumed", conversation_id: null },
    { ...common, type: "session_conversation_changed", from: "c1", to: null },
    { ...common, type: "session_edited", fields: ["task"] },
    { ...common, type: "session_overwritten", path: "/s/sessions.json.tmpm/conflicts/x.json" },
    { ...common, type: "session_paused", summary: "lunch" },
    { ...common, type: "session_unpaused" },
    { ...common, type: "session_archived", project_id: "default" },
    { ...common, type: "session_reactivated" },
    { ...common, type: "session_removed", workspace_removed: false, reason: "foreign_active_worktree" },
    { ...common, type: "session_deleted", tmux_session_alive: null, reason: "api_delete" },
    { ...common, type: "workspace_torn_down", path: "/w", failed: null },
    { ...common, type: "session_checked", failure: null },
    { ...common, type: "session_picked", group: "login", rest: [] },
    { ...common, type: "comment_added", comment_id: "5b1e0c4e", path: "a.ts", line: 3, side: "new" },
    { ...common, type: "comments_dropped", count: 2 },
    { ...common, type: "comments_sent", count: 2, send_id: null },
    { ...common, type: "question_asked", question_id: "5b1e0c4e", question: "Which port?" },
    { ...common, type: "question_answered", question_id: "5b1e0c4e", by: null },
    { ...common, type: "question_withdrawn", question_id: "5b1e0c4e" },
    { ...common, type: "session_reported", report_id: "5b1e0c4e", kind: "done", to: null },
    {
      ...common,
      type: "session_finished",
      how: "squash",
      ref: "refs/heads/main",
      from: "9fceb02d0ae598e95dc970b74767f19372d61af8",
      to: "c3d0be41ecbe669545ee3e94d31ed9a4bc91ee3c",
      checkout: null,
    },
    { ...common, type: "session_undone", to: "stopped" },
    { ...common, type: "session_text_sent", outcome: "submitted", bytes: 4 },
    { ...common, type: "decision_opened", decision_id: "d1", question: "Run it?" },
    { ...common, type: "decision_answered", decision_id: "d1", answer: "yes" },
    {
      ...common,
      type: "thought_updated",
      thought: "reads the tests",
      thought_state: "active",
      rest_state: "active",
      stream_instance_id: "s1",
      emission_seq: 7,
    },
    { ...common, type: "turn_queued", turn_id: "t1", waiting: 2 },
    { ...common, type: "turn_started", turn_id: "t1" },
    { ...common, type: "turn_waiting", turn_id: "t1", decision_id: "d1" },
    { ...common, type: "turn_ended", turn_id: "t1", outcome: "cancelled", cause: "client_rpc" },
    { ...common, type: "turn_ended", turn_id: "t1", outcome: "failed", cause: null, code: "PANE_DEAD" },
    {
      ...common,
      type: "usage_counted",
      turn_id: "t1",
      used: { input: 1, cache_read: 2, cache_write: 3, output: 4, reasoning: 2 },
      total: { input: 1, cache_read: 2, cache_write: 3, output: 4, reasoning: 2 },
      context: { tokens: 10, limit: null },
    },
    { ...common, type: "budget_reached", scope: "session", budget: "tokens", percent: 80, used: 80, limit: 100 },
    { ...common, type: "workspace_progress", step: "clone" },
    {
      ...common,
      type: "pull_request_opened",
      number: 7,
      url: "https://example.com/7",
      branch: "tmpm/demo",
      base: "main",
      commit: "0a",
      existed: false,
    },
    {
      ...common,
      type: "pull_request_news",
      number: 7,
      item: "comment:1",
      version: "v1",
      kind: "comment",
      author: "alice",
      url: "https://example.com/7#1",
      title: "A comment",
      edited: false,
      asks: true,
    },
    { ...common, type: "workspace_created", path: "/srv/w", branch: "tmpm/demo" },
    { ...common, type: "workspace_set_up", path: "/srv/w", failed: "npm ci" },
    { ...common, type: "workspace_set_up", path: "/srv/w", failed: "npm ci" },
    { ...common, type: "workspace_removed", session_id: null, path: "/srv/w", trash_path: "/srv/.trash/w" },
    { ...common, type: "reconcile_finished", session_id: null, live: 1, changed: 0, unknown: 0, adopted: 0, discovered: 2 },
    { ...common, type: "observer_suspected", session_id: null, affected: 20, total: 20, reason: "simultaneous_change" },
    { ...common, type: "auto_resume_parked", deaths: 5, reason: "resume_flapping" },
    { ...common, type: "operation_started", session_id: null, operation_id: "o1", route: "create" },
    { ...common, type: "operation_ended", operation_id: "o1", route: "create", outcome: "failed", code: "SETUP_FAILED" },
    {
      ...common,
      type: "notified",
      session_id: null,
      kind: "failed",
      title: "demo ended with status 1",
      sessions: ["demo"],
      channels: ["desktop"],
    },
    { ...common, type: "events_lost", session_id: null, count: 3 },
  ];

  test.each(EVENTS)("$type round-trips", (event) => {
    expect(Event.parse(event)).toEqual(event);
    expect(z.encode(Event, Event.parse(event))).toEqual(event);
  });

  test.each([
    { seq: 0 },
    { seq: 1.5 },
    { seq: undefined },
    { type: "unheard_of" },
    { session_id: "x" },
    { session_id: null },
    { reason: "Because it was" },
    { project_id: "../x" },
  ])("rejects %j", (change) => {
    expect(Event.safeParse({ ...EVENTS[0], ...change }).success).toBe(false);
  });

  test("every type has an example above", () => {
    const types = EventBody.options.map(({ shape }) => shape.type.value);
    expect(new Set(EVENTS.map(({ type }) => type))).toEqual(new Set(types));
  });
});

describe("JSON Schema", () => {
  test.each(Object.entries({ Session, SessionRecord, Activity, Event, Receipt }))(
    "exists for %s, for reading and for writing",
    (_name, schema) => {
      const written = z.toJSONSchema(schema);
      expect(written.type === "object" || written.oneOf !== undefined).toBe(true);
      expect(JSON.stringify(written).length).toBeGreaterThan(100);
      expect(z.toJSONSchema(schema, { io: "input" })).toHaveProperty("$schema");
    },
  );

  test("of Event lists each type once, with its number", () => {
    const { oneOf = [] } = z.toJSONSchema(Event);
    expect(oneOf).toHaveLength(EventBody.options.length);
    for (const variant of oneOf) expect(variant).toMatchObject({ required: expect.arrayContaining(["seq", "type", "at", "session_id"]) });
  });
});

test("encodes with every schema, as servers encode responses", () => {
  const session = Session.parse(SESSION);
  expect(z.encode(Session, session)).toEqual(session);
  const record = aRecord({ pane: PANE, exit: { status: 0, signal: null, at: AT } });
  expect(z.encode(SessionRecord, record)).toEqual(record);
});
