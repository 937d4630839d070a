import type { AgentAdapter, Exchange, Transcript } from "@tmpm/agents";
import { describe, expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";
import { turnAgent } from "../fixtures/turn-agent.js";
import { turnProgram } from "../fixtures/turn-program.js";
import { brief, outcome, submit, until } from "../fixtures/turn-steps.js";

const NOTHING: Transcript = { prompt: null, message: null, reply: null, model: null, tokens: 0, contextLimit: 0, prompts: 0 };

/** An agent that records its messages. */
async function writing(transcript: (nowMs: number) => Transcript | null) {
  const writer: AgentAdapter = {
    ...turnAgent,
    id: "writer",
    title: "Writer",
    launch: async () => ({ argv: ["turn-agent"], env: {}, conversationId: "c1", carriesPrompt: false }),
    transcript: () => ({ read: async () => transcript(each.tmux.now()) }),
  };
  const each = fixture({ adapters: [writer], programs: { "turn-agent": turnProgram(() => undefined) } });
  await each.sessions.create({ agent: "writer", cwd: "/w", name: "demo" });
  return each;
}

function exchange(known: Partial<Exchange>): Exchange {
  return { prompt: "work 1000", reply: null, error: null, atMs: null, ...known };
}

test("a turn has the answer to its own prompt, even after another prompt", async () => {
  const exchanges = [
    exchange({ prompt: "work 2000", reply: "the first" }),
    exchange({ prompt: "<context>\nwork 1000", reply: "the second" }),
  ];
  const each = await writing(() => ({ ...NOTHING, tokens: 7, exchanges }));
  const first = await outcome(each.sessions, await submit(each, "work 2000"));
  const second = await outcome(each.sessions, await submit(each, "work 1000"));
  expect([first.final_message, second.final_message, first.tokens]).toEqual(["the first", "the second", 7]);
  expect([first.note, second.note]).toEqual([null, null]);
});

test("each of several equal prompts has the answer since its start", async () => {
  const exchanges: Exchange[] = [];
  const each = await writing(() => ({ ...NOTHING, exchanges }));
  for (const reply of ["once", "twice"]) {
    const accepted = await submit(each, "work 1000");
    await until(each.sessions, accepted, "running");
    exchanges.push(exchange({ reply, atMs: each.tmux.now() }));
    expect((await outcome(each.sessions, accepted)).final_message).toBe(reply);
  }
});

test("a turn has failed if the agent's own transcript records a failure, even if its screen is idle", async () => {
  const each = await writing(() => ({ ...NOTHING, exchanges: [exchange({ error: "mock 400" })] }));
  const ended = await outcome(each.sessions, await submit(each, "work 1000"));
  expect(brief(ended)).toEqual(["failed", null, "agent_errored"]);
  expect(ended).toMatchObject({ code: "AGENT_FAILED", note: "mock 400", final_message: null });
  expect(each.events).toContainEqual(expect.objectContaining({ type: "turn_ended", outcome: "failed", code: "AGENT_FAILED" }));
});

test.each<[Transcript | null, string]>([
  [null, "the record of conversation c1 of Writer was not found"],
  [NOTHING, "the record of Writer does not contain this prompt"],
  [{ ...NOTHING, exchanges: [exchange({})] }, "the record of Writer has no answer to this prompt"],
])("a completed turn without a message states the reason: %#", async (transcript, note) => {
  const each = await writing(() => transcript);
  const ended = await outcome(each.sessions, await submit(each, "work 1000"));
  expect(brief(ended)).toEqual(["completed", null, "ready"]);
  expect(ended).toMatchObject({ final_message: null, note });
});

describe("turn in a conversation that the agent started without a report", () => {
  const kept: Record<string, readonly Exchange[]> = {};

  async function moving(begun: readonly string[]) {
    const mover: AgentAdapter = {
      ...turnAgent,
      id: "mover",
      title: "Mover",
      launch: async () => ({ argv: ["turn-agent"], env: {}, conversationId: "c1", carriesPrompt: false }),
      transcript: ({ conversationId }) => ({ read: async () => ({ ...NOTHING, exchanges: kept[conversationId] ?? [] }) }),
      begunConversations: async () => begun.map((conversationId) => ({ conversationId, beganMs: each.tmux.now() })),
    };
    const each = fixture({ adapters: [mover], programs: { "turn-agent": turnProgram(() => undefined) } });
    const { session } = await each.sessions.create({ agent: "mover", cwd: "/w", name: "demo" });
    const conversation = async () => (await each.sessions.show({ session: "demo" })).record.conversation_id;
    const changes = () => each.events.filter(({ type }) => type === "session_conversation_changed");
    return { ...each, session, conversation, changes };
  }

  test("is found there by its prompt, and has its message", async () => {
    kept.c2 = [exchange({ reply: "over here" })];
    const each = await moving(["c2", "c3"]);
    expect(await outcome(each.sessions, await submit(each, "work 1000"))).toMatchObject({ final_message: "over here", note: null });
    expect(await each.conversation()).toBe("c2");
    expect(each.changes()).toMatchObject([{ from: "c1", to: "c2", reason: "agent" }]);
  });

  test("is not followed when two conversations contain its prompt", async () => {
    for (const id of ["c4", "c5"]) kept[id] = [exchange({ reply: id })];
    const each = await moving(["c4", "c5"]);
    expect(await outcome(each.sessions, await submit(each, "work 1000"))).toMatchObject({ final_message: null });
    expect([await each.conversation(), each.changes()]).toEqual(["c1", []]);
  });
});
