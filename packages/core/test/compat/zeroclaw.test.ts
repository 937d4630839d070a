import { zeroclaw } from "@tmpm/core/compat/zeroclaw";
import { describe, expect, test } from "vitest";

const codec = zeroclaw({ idOf: (id) => `00000000-0000-5000-8000-${String(id.length).padStart(12, "0")}` });
const ID = "550e8400-e29b-41d4-a716-446655440000";

/** A row as zeroclaw 1.14 stores it. */
const ROW = {
  id: 3,
  session_uuid: ID,
  agent_alias: "Coder (main)",
  workspace_dir: "/home/ada/api",
  token_count: 1234,
  killed_at: null,
  plan_json: '[{"content":"a","status":"pending"}]',
  created_at: "2026-01-02T03:04:05.123456789+00:00",
  last_activity: "2026-01-02T03:05:05+01:00",
};

function message(id: number, role: string, content: string) {
  return { id, session_id: 3, role, content, reasoning_content: null, created_at: `2026-01-02T03:04:0${id}+00:00` };
}

describe("zeroclaw session", () => {
  test("maps to a stopped session with all its fields", () => {
    const record = codec.toRecord(codec.decodeSession({ ...ROW, future: 1 }));
    expect(record).toMatchObject({
      ...{ id: ID, name: "coder-main", agent: "coder-main", mode: "acp", state: "stopped", stop_cause: "deliberate" },
      ...{ cwd: "/home/ada/api", created_at: "2026-01-02T03:04:05.123456789Z", last_activity_at: "2026-01-02T02:05:05Z" },
      zeroclaw: { id: 3, token_count: 1234, plan_json: ROW.plan_json, future: 1 },
    });
    expect(record.zeroclaw).not.toHaveProperty("messages");
  });

  test("maps a killed session to decommissioned, and fills missing columns of older releases (zeroclaw 43)", () => {
    const killed = codec.toRecord(codec.decodeSession({ ...ROW, killed_at: "2026-01-02T04:00:00+00:00" }));
    expect(killed).toMatchObject({ state: "decommissioned", terminal_at: "2026-01-02T04:00:00Z" });
    const { killed_at: _killed, plan_json: _plan, ...old } = ROW;
    expect(codec.toRecord(codec.decodeSession(old))).toMatchObject({ state: "stopped", terminal_at: null });
  });

  test("derives an id when it is not a UUID, and sets an unknown cwd when it is not absolute", () => {
    const record = codec.toRecord(codec.decodeSession({ ...ROW, session_uuid: "odd", workspace_dir: "" }));
    expect(record).toMatchObject({ id: "00000000-0000-5000-8000-000000000003", cwd: "/unknown" });
  });

  test("drops only the token count when it exceeds a safe integer", () => {
    expect(codec.toRecord(codec.decodeSession({ ...ROW, token_count: 9007199254740993n }))).toMatchObject({
      id: ID,
      zeroclaw: { token_count: null },
    });
  });

  test.each([
    ["session_uuid", { session_uuid: "" }],
    ["created_at", { created_at: "yesterday" }],
    ["messages.0.content", { messages: [{ ...message(1, "user", ""), content: null }] }],
  ])("rejects a wrong %s and names the field", (field, change) => {
    expect(() => codec.decodeSession({ ...ROW, ...change })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", details: { field } }),
    );
  });
});

test("toExchanges pairs each prompt with the last reply before the next prompt", () => {
  const messages = [
    message(5, "user", "ünïcode \u2028 two"),
    message(1, "system", "You are"),
    message(2, "user", "one"),
    message(3, "assistant", "let me see"),
    message(4, "assistant", "done"),
    message(6, "assistant", ""),
  ];
  expect(codec.toExchanges(codec.decodeSession({ ...ROW, messages }))).toEqual([
    { id: 2, prompt: "one", prompted_at: "2026-01-02T03:04:02Z", reply: "done", replied_at: "2026-01-02T03:04:04Z" },
    { id: 5, prompt: "ünïcode \u2028 two", prompted_at: "2026-01-02T03:04:05Z", reply: null, replied_at: null },
  ]);
});
