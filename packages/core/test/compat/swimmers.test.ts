import { swimmers } from "@tmpm/core/compat/swimmers";
import { describe, expect, test } from "vitest";

const asked: string[] = [];
const codec = swimmers({
  idOf: (foreign) => {
    asked.push(foreign);
    return "00000000-0000-5000-8000-000000000000";
  },
});

const CUE = { kind: "commit_ready", status: "active", source: "transcript", confidence: "deterministic", text: "done" };
/** Every field of swimmers 1.4, in the order in which serde writes them. */
const SESSION = {
  session_id: "sess_3",
  tmux_name: "codex-x",
  tmux_target: { type: "socket_name", value: "work" },
  state: "busy",
  tool: "Claude Code",
  token_count: 5000,
  context_limit: 200_000,
  thought: "reading",
  thought_state: "active",
  thought_source: "llm",
  thought_updated_at: "2026-01-02T03:04:05.678Z",
  rest_state: "drowsy",
  commit_candidate: true,
  action_cues: [CUE],
  objective_changed_at: "2026-01-02T03:04:00Z",
  last_skill: "review",
  objective_fingerprint: "f1",
  batch: { id: "b", label: "B", index: 0, total: 2, created_at: "2026-01-02T03:00:00Z", prompt_excerpt: "fix it" },
  cwd: "/home/ada/app",
  last_activity_at: "2026-01-02T03:04:06Z",
};
const MINIMAL = {
  session_id: "sess_0",
  tmux_name: "0",
  state: "idle",
  token_count: 0,
  context_limit: 128_000,
  cwd: "",
  last_activity_at: "2026-01-02T04:04:06+01:00",
};
const THOUGHT = {
  thought: "writing",
  thought_state: "sleeping",
  thought_source: "static_sleeping",
  rest_state: "deep_sleep",
  commit_candidate: false,
  action_cues: [CUE],
  objective_changed_at: null,
  objective_fingerprint: "f2",
  token_count: 6000,
  context_limit: 200_000,
  updated_at: "2026-01-02T03:05:00Z",
  stream_instance_id: "s-1",
  emission_seq: 9,
};

describe("swimmers session", () => {
  test("round-trips field for field, in order", () => {
    expect(Object.entries(codec.encodeSession(codec.decodeSession(SESSION)))).toEqual(Object.entries(SESSION));
  });

  test("fills defaults when minimal, and omits the keys that serde omits", () => {
    expect(codec.encodeSession(codec.decodeSession(MINIMAL))).toEqual({
      ...MINIMAL,
      ...{ tool: null, thought: null, thought_state: "holding", thought_source: "carry_forward", thought_updated_at: null },
      ...{ rest_state: "active", commit_candidate: false, objective_changed_at: null, last_skill: null, objective_fingerprint: null },
      last_activity_at: "2026-01-02T03:04:06Z",
    });
  });

  test("keeps unknown fields at every level", () => {
    const odd = { ...SESSION, batch: { ...SESSION.batch, x: 1 }, tmux_target: { ...SESSION.tmux_target, y: 2 }, z: [null] };
    expect(codec.encodeSession(codec.decodeSession(odd))).toEqual(odd);
  });

  test.each([
    ["session_id", ""],
    ["state", "sleepy"],
    ["state", undefined],
    ["tool", 5],
    ["token_count", -1],
    ["context_limit", "many"],
    ["thought_state", "Holding"],
    ["thought_source", "me"],
    ["thought_updated_at", "yesterday"],
    ["rest_state", "tired"],
    ["commit_candidate", 1],
    ["cwd", null],
    ["last_activity_at", undefined],
  ])("rejects %s %j and names the field", (field, value) => {
    expect(() => codec.decodeSession({ ...SESSION, [field]: value })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", details: { field }, message: expect.stringContaining(field) }),
    );
  });

  test.each([
    [{ tmux_target: { type: "socket_name", value: "a/b" } }, "tmux_target.value"],
    [{ tmux_target: { type: "socket_name", value: " a" } }, "tmux_target.value"],
    [{ tmux_target: { type: "socket_path", value: "" } }, "tmux_target.value"],
    [{ tmux_target: { type: "tcp" } }, "tmux_target.type"],
    [{ action_cues: [{ kind: "party" }] }, "action_cues.0.kind"],
    [{ batch: { id: "b" } }, "batch.label"],
  ])("rejects %j and names %s", (change, field) => {
    expect(() => codec.decodeSession({ ...SESSION, ...change })).toThrow(expect.objectContaining({ details: { field } }));
  });
});

describe("swimmers thought", () => {
  test("round-trips field for field, in order, and fills defaults", () => {
    expect(Object.entries(codec.encodeThought(codec.decodeThought(THOUGHT)))).toEqual(Object.entries(THOUGHT));
    const { token_count, context_limit, updated_at } = THOUGHT;
    expect(codec.encodeThought(codec.decodeThought({ token_count, context_limit, updated_at, odd: 1 }))).toEqual({
      ...{ token_count, context_limit, updated_at, odd: 1 },
      ...{ thought: null, thought_state: "holding", thought_source: "carry_forward", rest_state: "active", commit_candidate: false },
      ...{ objective_changed_at: null, objective_fingerprint: null, stream_instance_id: null, emission_seq: 0 },
    });
  });

  test.each([
    ["updated_at", "x"],
    ["emission_seq", -1],
    ["thought", 1],
    ["rest_state", ""],
  ])("rejects %s %j and names the field", (field, value) => {
    expect(() => codec.decodeThought({ ...THOUGHT, [field]: value })).toThrow(expect.objectContaining({ details: { field } }));
  });

  test("a stored thought overrides the registry", () => {
    expect(codec.withThought(codec.decodeSession(SESSION), codec.decodeThought(THOUGHT))).toMatchObject({
      thought: "writing",
      thought_state: "sleeping",
      thought_updated_at: THOUGHT.updated_at,
      rest_state: "deep_sleep",
      commit_candidate: false,
      token_count: 6000,
      objective_changed_at: SESSION.objective_changed_at,
      objective_fingerprint: "f2",
      emission_seq: 9,
    });
  });

  test("a zero count or a missing thought does not override (swimmers case 75)", () => {
    const empty = codec.decodeThought({ ...THOUGHT, token_count: 0, context_limit: 0, thought: null });
    expect(codec.withThought(codec.decodeSession(SESSION), empty)).toMatchObject({
      token_count: 5000,
      context_limit: 200_000,
      thought: "reading",
    });
  });
});

describe("swimmers files", () => {
  test("return every readable entry, and name the wrong field of the others", () => {
    const entries = codec.decodeRegistry([
      SESSION,
      { ...SESSION, session_id: "sess_4", state: "odd" },
      7,
      SESSION,
      { session_id: "sess_5" },
    ]);
    expect(entries.map(({ kind, id }) => [kind, id])).toEqual([
      ["session", "sess_3"],
      ["unsupported", "sess_4"],
      ["damaged", null],
      ["damaged", "sess_3"],
      ["damaged", "sess_5"],
    ]);
    expect(entries[1]).toMatchObject({ error: { details: { field: "state" } }, document: { session_id: "sess_4" } });
    expect(entries[3]).toMatchObject({ error: { details: { field: "session_id" } } });
    expect(codec.decodeThoughts({ sess_3: THOUGHT, "tmux:x:0.0:%1": THOUGHT, sess_9: {} }).map(({ kind, key }) => [kind, key])).toEqual([
      ["thought", "sess_3"],
      ["thought", "tmux:x:0.0:%1"],
      ["damaged", "sess_9"],
    ]);
  });

  test("are rejected when of the wrong type", () => {
    for (const document of [{}, null, "x"])
      expect(() => codec.decodeRegistry(document)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    for (const document of [[], null])
      expect(() => codec.decodeThoughts(document)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});

describe("swimmers session as a record", () => {
  test("maps shared fields to ours and keeps the original under swimmers", () => {
    asked.length = 0;
    expect(codec.toRecord(codec.decodeSession({ ...SESSION, odd: 1 }))).toMatchObject({
      name: "codex-x",
      tmux_name: "codex-x",
      cwd: "/home/ada/app",
      agent: "claude",
      task: "fix it",
      state: "active",
      created_at: SESSION.last_activity_at,
      last_activity_at: SESSION.last_activity_at,
      swimmers: { session_id: "sess_3", thought: "reading", odd: 1 },
    });
    expect(asked).toEqual(['["sess_3","codex-x","socket_name","work"]']);
  });

  test.each([
    [{ cwd: "" }, { cwd: "/unknown" }],
    [{ cwd: "host:/path" }, { cwd: "/unknown" }],
    [{ tool: null }, { agent: "shell" }],
    [{ tool: "OpenCode" }, { agent: "opencode" }],
    [{ tool: "Odd Tool" }, { agent: "odd-tool" }],
    [{ state: "exited" }, { state: "stopped", stop_cause: "unexpected" }],
    [{ state: "attention" }, { state: "active", stop_cause: null }],
    [{ tmux_name: "  " }, { name: "session", tmux_name: "  " }],
    [{ tmux_name: "" }, { name: "session", tmux_name: "tmpm-session" }],
    [{ batch: null }, { task: "" }],
  ])("maps %j to %j", (change, expected) => {
    expect(codec.toRecord(codec.decodeSession({ ...SESSION, ...change }))).toMatchObject(expected);
  });
});
