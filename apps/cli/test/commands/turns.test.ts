import type { TurnAnswer } from "@tmpm/api";
import { type Decision, Turn } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { answering, errorAnswer } from "../fixtures/answering.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

const ID = "6d1f3c5a-7a52-4b8e-9c0d-1e2f3a4b5c6d";

function turn(changes: Partial<TurnAnswer> = {}): TurnAnswer {
  const kept = Turn.parse({
    id: ID,
    session_id: "11111111-2222-4333-8444-555555555555",
    project_id: "default",
    generation: 7,
    state: "ended",
    one_at_a_time: true,
    place: 7,
    key: null,
    prompt: "Run \u001b[2Jit",
    prompt_bytes: 11,
    prompt_digest: "d",
    accepted_at: "2026-01-01T00:00:00Z",
    started_at: "2026-01-01T00:00:01Z",
    ended_at: "2026-01-01T00:00:13Z",
    outcome: "completed",
    reason: "ready",
  });
  return { ...kept, decision_id: null, position: null, held: null, ...changes };
}

const waiting = turn({ state: "queued", started_at: null, ended_at: null, outcome: null, reason: null, position: 2 });

describe("queue", () => {
  test.each([
    [["clear", "6d1f"], "clear does not accept a turn"],
    [["list", "6d1f"], "list does not accept a turn"],
    [["add", "x", "--front"], "--front applies to move only"],
    [["add", "x", "--position", "2"], "--position applies to move only"],
    [["clear", "--before", "6d1f"], "--before applies to move only"],
    [["remove", "6d1f", "--key", "k"], "--key applies to add only"],
    [["move", "6d1f", "--front", "--file", "f"], "--file applies to add only"],
  ])("refuses arguments that %j does not accept, without a request", async (words, message) => {
    await using here = await answering(() => ({ body: { cleared: [] } }));
    expect(await here.tmpm("queue", "demo", ...words)).toMatchObject({ exit: 2, stderr: expect.stringContaining(message) });
    expect(here.asked).toEqual([]);
  });

  test("removes several turns in order; after a failure it names those that are removed", async () => {
    const refused = errorAnswer(409, { code: "TURN_NOT_ACTIVE", message: "turn c is being typed" });
    await using here = await answering(({ url }) => {
      if (url.includes("/turns/c")) return refused;
      const id = url.includes("/turns/b") ? "b".repeat(36) : ID;
      return { body: turn({ id, outcome: "cancelled", cause: "client_rpc", reason: "taken_back" }) };
    });
    const both = await here.tmpm("queue", "demo", "remove", "6d1f", "b", "--json");
    expect(JSON.parse(both.stdout).turns.map(({ id }: TurnAnswer) => id)).toEqual([ID, "b".repeat(36)]);
    const partly = await here.tmpm("queue", "demo", "remove", "6d1f", "b", "c", "d");
    expect(partly).toMatchObject({ exit: 4, stdout: "" });
    expect(partly.stderr).toContain("turn c is being typed");
    expect(partly.stderr).toContain("removed before: 6d1f3c5a, bbbbbbbb");
    expect(here.asked.map(({ url }) => url.replace(/^.*turns\/|\?.*$/g, ""))).toEqual(["6d1f", "b", "6d1f", "b", "c"]);
  });

  test("lists running and waiting turns without control bytes, adds, moves, removes and clears", async () => {
    const held = { reason: "behind_another", evidence: [], hint: null } as const;
    const queue = { running: [turn({ state: "running", outcome: null })], waiting: [waiting], depth: 2, limit: 32 };
    await using here = await answering(({ method, url }) => {
      if (url.endsWith("/queue") && method === "DELETE") return { body: { cleared: [waiting] } };
      if (url.includes("/queue")) return { body: queue };
      return {
        body: method === "DELETE" ? turn({ outcome: "cancelled", cause: "client_rpc", reason: "taken_back" }) : { ...waiting, held },
      };
    });
    const list = await here.tmpm("queue", "demo");
    expect(list.stdout).toMatch(/running .*\n7 {3}6d1f3c5a {2}queued .*\n2 of 32\n$/);
    expect(list.stdout).not.toContain("\u001b");
    const added = await here.tmpm("queue", "demo", "add", "Run", "it", "--key", "k");
    expect(added.stdout).toContain("turn 6d1f3c5a queued, number 2 in the queue: an earlier send to this session is pending");
    await here.tmpm("queue", "demo", "move", "6d1f", "--after", "abc");
    const removed = await here.tmpm("queue", "demo", "remove", "6d1f");
    expect(removed.stdout).toContain("cancelled by client_rpc: it was cancelled before anything was typed");
    await here.tmpm("queue", "demo", "clear");
    expect(here.asked.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["GET", "/v1/sessions/demo/queue", null],
      ["POST", "/v1/sessions/demo/turns", { prompt: "Run it", queue: true, idempotency_key: "k" }],
      ["POST", "/v1/sessions/demo/queue/6d1f/move", { after: "abc" }],
      ["DELETE", "/v1/sessions/demo/turns/6d1f?waiting=true", null],
      ["DELETE", "/v1/sessions/demo/queue", null],
    ]);
  });

  test.each([
    [["move", "6d1f"]],
    [["move", "6d1f", "--front", "--position", "2"]],
    [["move", "a", "b", "--front"]],
    [["remove"]],
    [["add"]],
    [["clear", "--key", "k"]],
    [["sort"]],
  ])("%j is a usage error without a request", async (argv) => {
    await using here = await answering(() => ({ body: {} }));
    expect((await here.tmpm("queue", "demo", ...argv)).exit).toBe(2);
    expect(here.asked).toEqual([]);
  });
});

describe("cancel", () => {
  test("reports the turn's outcome, and exits with 7 if the agent was not seen to stop", async () => {
    const cancelled = { outcome: "cancelled", cause: "client_rpc" } as const;
    const answers = [
      turn({ ...cancelled, reason: "interrupted", confirmed: true }),
      turn({ ...cancelled, reason: "not_seen_to_stop", confirmed: false }),
    ];
    await using here = await answering(() => ({ body: answers.shift() }));
    expect(await here.tmpm("cancel", "demo")).toMatchObject({ exit: 0, stdout: expect.stringContaining("and seen to stop, after 12s") });
    expect(await here.tmpm("cancel", "demo", "6d1f", "--grace", "2.5")).toMatchObject({
      exit: 7,
      stdout: expect.stringContaining("cancelled by client_rpc, not confirmed"),
    });
    expect(here.asked.map(({ body }) => body)).toEqual([{}, { turn: "6d1f", grace_ms: 2_500 }]);
  });
});

describe("turns", () => {
  test("lists turns, and shows one with the agent's final message", async () => {
    const answered = turn({ final_message: "All\ngood \u001b[31m", tokens: 12 });
    await using here = await answering(({ url }) => ({ body: url.includes("/turns/") ? answered : { turns: [answered], next: null } }));
    expect((await here.tmpm("turns", "demo", "--limit", "3")).stdout).toMatch(
      /^NO .*\n7 {3}6d1f3c5a {2}completed .* 12s .*Run \\x1b\[2Jit\n$/,
    );
    const one = await here.tmpm("turns", "demo", "6d1f");
    expect(one.stdout).toContain("final message:\n  All\n  good \\x1b[31m\ntokens of the conversation: 12");
    expect((await here.tmpm("turns", "demo", "--wait")).exit).toBe(2);
    expect((await here.tmpm("turns", "demo", "6d1f", "--from", "2")).exit).toBe(2);
  });

  test.each([
    [{ outcome: "completed" }, 0],
    [{ outcome: "cancelled", cause: "admin_kill", reason: "session_closed" }, 4],
    [{ outcome: "failed", code: "TIMEOUT", reason: "waited_too_long" }, 5],
    [{ outcome: "failed", code: "AGENT_FAILED", reason: "agent_errored" }, 1],
    [{ outcome: "failed", code: "UNCONFIRMED", reason: "not_confirmed" }, 7],
  ] as const)("waiting for a turn that ends as %o exits with %i", async (changes, exit) => {
    const answers = [turn({ state: "running", outcome: null }), turn(changes)];
    await using here = await answering(() => ({ body: answers.shift() }));
    expect((await here.tmpm("turns", "demo", "6d1f", "--wait", "--json")).exit).toBe(exit);
    expect(here.asked.every(({ url }) => url.includes("wait_ms="))).toBe(true);
  });
});

describe("send --follow", () => {
  test("prints only the final message on standard output, and exits by the outcome", async () => {
    const receipt = { id: ID, outcome: "submitted", reason: "hook", bytes: 2, evidence: [], altered: null, hint: null };
    const session = sessionAnswer({ name: "demo" });
    let answered = turn({ final_message: "It is\ndone." });
    await using here = await answering(({ method }) => ({ body: method === "POST" ? { receipt, session } : answered }));
    expect(await here.tmpm("send", "demo", "--follow", "hi")).toEqual({
      exit: 0,
      stdout: "It is\ndone.\n",
      stderr: "tmpm: demo: turn 6d1f3c5a completed, after 12s\n",
    });
    answered = turn({ outcome: "failed", code: "AGENT_FAILED", reason: "agent_errored" });
    expect(await here.tmpm("send", "demo", "--follow", "hi")).toMatchObject({
      exit: 1,
      stdout: expect.stringContaining("failed (AGENT_FAILED)"),
    });
    expect((await here.tmpm("send", "demo", "--follow", "--no-wait", "hi")).exit).toBe(2);
  });

  test("prints the agent's question, how to answer it, and exits with 8; a question answered meanwhile is skipped", async () => {
    const receipt = { id: ID, outcome: "submitted", reason: "hook", bytes: 2, evidence: [], altered: null, hint: null };
    const asks = (decision_id: string) => turn({ state: "waiting_approval", outcome: null, decision_id });
    const decision: Decision = {
      id: "two",
      session_id: asks("two").session_id,
      agent: "claude",
      kind: "approval",
      tool: "Bash",
      subject: "touch \u001b[2Jit\nnow",
      choices: [{ label: "Yes\u009b1m", answerable: true, takes_text: false }],
      screen_digest: null,
      since: "2026-01-01T00:00:00Z",
    };
    const session = sessionAnswer({ name: "demo", decision });
    const answers = [asks("one"), asks("two"), asks("two")];
    await using here = await answering(({ method, url }) => {
      if (method === "POST") return { body: { receipt, session } };
      return { body: url.includes("/turns/") ? answers.shift() : session };
    });
    const { exit, stdout, stderr } = await here.tmpm("send", "demo", "--follow", "hi");
    expect([exit, stdout, answers.length]).toEqual([8, "", 0]);
    expect(stderr).toContain("demo: the agent asks: touch \\x1b[2Jit\\nnow\n");
    expect(stderr).toContain("1. Yes\\x9b1m\n");
    expect(stderr).toContain("answer it with `tmpm approve demo` or `tmpm deny demo`, then `tmpm turns demo 6d1f3c5a --wait`");
  });
});
