import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ConversationState } from "../src/conversation/state.js";
import { type AgentBed, agentBed, script } from "./agent-bed.js";

const isOpen = ({ phase }: ConversationState) => phase.kind === "open";
const rests = ({ turn, last }: ConversationState) => turn === null && last !== null;

async function openBed(options?: Parameters<typeof agentBed>[0]): Promise<AgentBed> {
  const bed = await agentBed(options);
  await bed.until(isOpen);
  return bed;
}

describe("a prompt", () => {
  test("arrives exactly, and its caller hears at once that the agent has it", async () => {
    await using bed = await openBed();
    const text = "Grüße,\n\ttabs, 日本語 😀, \u2028 and a `/slash`\n  ".repeat(2_000);
    const put = await bed.talk.prompt({ key: "k1", text });
    expect(put.fate).toEqual({ kind: "taken" });
    expect(put.evidence[0]).toBe("session/prompt was sent to the agent in full");
    const { transcript } = await bed.until(rests);
    const digest = createHash("sha256").update(text).digest("hex");
    expect(transcript.entries.at(-1)).toMatchObject({
      who: "agent",
      text: `small read sha256 ${digest} of ${Buffer.byteLength(text)} bytes`,
    });
  });

  test("of a key that was put already is not put again", async () => {
    await using bed = await openBed();
    await bed.talk.prompt({ key: "k1", text: "one" });
    await bed.until(rests);
    expect(await bed.talk.prompt({ key: "k1", text: "one" })).toMatchObject({ fate: { kind: "taken" } });
    expect(bed.events.filter(({ type }) => type === "prompted")).toHaveLength(1);
    expect([bed.talk.prompted("k1")?.fate.kind, bed.talk.prompted("k2")]).toEqual(["taken", null]);
  });

  test("is refused while a turn runs, and when the agent calls it no good", async () => {
    await using bed = await openBed();
    await bed.talk.prompt({ key: "k1", text: script({ slowMs: 60_000 }) });
    expect((await bed.talk.prompt({ key: "k2", text: "two" })).fate).toMatchObject({ kind: "refused" });
    await bed.talk.cancel();
    await bed.until(rests);
    const put = await bed.talk.prompt({ key: "k3", text: script({ refuse: "too long" }) });
    expect(put.fate).toEqual({ kind: "refused", reason: "too long" });
    expect(bed.state().turn).toBeNull();
  });

  test("whose turn fails is one that the agent had", async () => {
    await using bed = await openBed();
    const put = await bed.talk.prompt({ key: "k1", text: script({ error: "529 overloaded" }) });
    expect(put.fate.kind).toBe("taken");
    expect(await bed.until(rests)).toMatchObject({ last: { kind: "broke", message: "529 overloaded" } });
  });
});

describe("a permission", () => {
  test("waits until it is answered, each one on its own", async () => {
    await using bed = await openBed();
    await bed.talk.prompt({ key: "k1", text: script({ ask: ["echo one", "echo one"], say: "ok" }) });
    const first = (await bed.until(({ requests }) => requests.length > 0)).requests[0];
    expect(first).toMatchObject({ tool: "execute", subject: "echo one" });
    expect(bed.talk.answer({ request: first?.id ?? "", answer: { kind: "approve" } })).toEqual({ label: "Allow once" });
    expect(() => bed.talk.answer({ request: first?.id ?? "", answer: { kind: "deny" } })).toThrow(
      expect.objectContaining({ code: "DECISION_GONE" }),
    );
    const second = (await bed.until(({ requests }) => requests.some(({ id }) => id !== first?.id))).requests[0];
    bed.talk.answer({ request: second?.id ?? "", answer: { kind: "deny" } });
    await bed.until(rests);
    expect(bed.lines().filter((line) => line.startsWith("    "))).toEqual(["    ran echo one", "    no: not run"]);
  });

  test("is withdrawn when the turn is broken off", async () => {
    await using bed = await openBed();
    await bed.talk.prompt({ key: "k1", text: script({ ask: ["rm -rf /"] }) });
    await bed.until(({ requests }) => requests.length === 1);
    await bed.talk.cancel();
    expect(await bed.until(rests)).toMatchObject({ requests: [], last: { kind: "ended", stop: "cancelled" } });
    expect(bed.lines()).toContain("    cancelled: not run");
  });
});

test("what disturbs the pipe disturbs nobody: it is noted, and the turn ends as ever", async () => {
  await using bed = await openBed();
  await bed.talk.prompt({
    key: "k1",
    text: script({ garbage: true, plan: ["a", "b"], thinks: "hm", lines: 40_000, tokens: 123, say: "ok" }),
  });
  const { transcript } = await bed.until(rests);
  expect(transcript).toMatchObject({
    tokens: 123,
    context_limit: 100_000,
    plan: [{ content: "a", status: "in_progress" }, { content: "b" }],
  });
  expect(bed.lines()).toEqual(
    expect.arrayContaining(["! the agent printed: this is not a message", '! the agent printed: "nor this"', "~ hm", "ok"]),
  );
});

test("an agent that ends in the middle of a turn is reported by its exit", async () => {
  await using bed = await openBed();
  const put = await bed.talk.prompt({ key: "k1", text: script({ crash: true }) });
  expect(put.fate.kind).toBe("taken");
  expect(await bed.until(({ phase }) => phase.kind === "exited")).toMatchObject({ phase: { status: 7 }, turn: null });
  expect((await bed.talk.prompt({ key: "k2", text: "still there?" })).fate).toEqual({ kind: "refused", reason: "the agent has ended" });
});

test("an agent is given the tools that its session has, with what names the session, and no others", async () => {
  const server = { name: "tmpm", command: "/bin/sh", args: ["/x/tools"], env: [{ name: "TMPM_SESSION_TOKEN", value: "t" }] };
  const env = { TMPM_SESSION_TOKEN: "t", SECRET: "mine" };
  await using bed = await openBed({ tools: ["/bin/sh", "/x/tools"], env, habits: { servers: [server] } });
  expect(bed.state().phase.kind).toBe("open");
  await using without = await openBed({ env, habits: { servers: [] } });
  expect(without.state().phase.kind).toBe("open");
});

describe("settings", () => {
  test("that were wished for count before the first prompt, and a wish that is refused keeps nobody from talking", async () => {
    await using bed = await openBed({ wishes: { model: "large", mode: "wild" } });
    expect(bed.state().settings).toMatchObject({ model: { current: "large" }, mode: { current: "build" } });
    expect(bed.lines()).toContain('! it has no mode "wild"; it has build, plan');
  });

  test("are changed while the agent runs, and go back to its own", async () => {
    await using bed = await openBed({ wishes: { model: "large" } });
    expect(await bed.talk.set({ name: "mode", value: "plan" })).toMatchObject({ kind: "applied" });
    expect(await bed.talk.set({ name: "model", value: null })).toMatchObject({ kind: "applied" });
    expect(bed.state().settings).toMatchObject({ model: { current: "small" }, mode: { current: "plan" } });
    expect(await bed.talk.set({ name: "model", value: "huge" })).toMatchObject({ kind: "refused" });
    expect(await bed.talk.set({ name: "effort", value: "high" })).toMatchObject({ kind: "later" });
  });
});

describe("resuming a conversation", () => {
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly string[], boolean])[] = [
    ["an agent that loads it tells what was said", { load: true }, ["> remember 42"], true],
    ["an agent that only resumes it does not", { load: false, resume: true }, [], true],
    [
      "of an agent that cannot a new one begins, and says so",
      { load: false },
      ["! the agent cannot resume a conversation, so a new one begins"],
      false,
    ],
  ];
  test.each(cases)("%s", async (_, habits, shown, same) => {
    const store = await mkdtemp(join(tmpdir(), "tmpm-said-"));
    try {
      const said = await openBed({ habits: { store } });
      const id = said.state().conversation_id;
      await said.talk.prompt({ key: "k1", text: "remember 42" });
      await said.until(rests);
      await said[Symbol.asyncDispose]();
      await using bed = await openBed({ habits: { store, ...habits }, conversationId: id });
      expect(bed.state().conversation_id === id).toBe(same);
      expect(bed.lines().slice(0, 1)).toEqual(shown);
      await bed.talk.prompt({ key: "k2", text: "and?" });
      expect(await bed.until(rests)).toMatchObject({ last: { stop: "end_turn" } });
    } finally {
      await rm(store, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  });
});

describe("an agent that requires a login", () => {
  const habits = { auth: "good", heldKey: "good" };
  const env = { SCRIPTED_API_KEY: "good" };

  test("is logged in by the key that its environment has, which is noted", async () => {
    await using bed = await openBed({ habits, env });
    expect(bed.lines()).toContain("! logged in with SCRIPTED_API_KEY (API key)");
    await bed.talk.prompt({ key: "k1", text: "and now?" });
    expect(await bed.until(rests)).toMatchObject({ last: { stop: "end_turn" } });
  });

  test("continues with its conversation after the login", async () => {
    const store = await mkdtemp(join(tmpdir(), "tmpm-said-"));
    try {
      const said = await openBed({ habits: { store } });
      const id = said.state().conversation_id;
      await said[Symbol.asyncDispose]();
      await using bed = await openBed({ habits: { store, ...habits }, env, conversationId: id });
      expect(bed.state().conversation_id).toBe(id);
    } finally {
      await rm(store, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  });
});

describe("no conversation", () => {
  test("with an agent that wants a login, which reports how", async () => {
    await using bed = await agentBed({ habits: { auth: true } });
    expect(await bed.until(({ phase }) => phase.kind === "failed")).toMatchObject({
      phase: {
        message: "the agent requires a login: Authentication required",
        hint: "Log in, then run `tmpm restart`: Log in (Run `scripted login`).",
      },
    });
  });

  test("with an agent that does not accept the key, which tells the other methods too", async () => {
    await using bed = await agentBed({ habits: { auth: "good", heldKey: "bad" }, env: { SCRIPTED_API_KEY: "bad" } });
    const { phase } = await bed.until((state) => state.phase.kind === "failed");
    expect(phase).toMatchObject({
      message: expect.stringMatching(/did not accept SCRIPTED_API_KEY \(API key\): .*the key is not valid/u),
      hint: expect.stringContaining("Log in (Run `scripted login`). API key (Requires SCRIPTED_API_KEY to be set)."),
    });
  });

  test("with an agent whose key is not set: no method that needs a person is begun", async () => {
    await using bed = await agentBed({ habits: { auth: "good", heldKey: "good" }, env: { SCRIPTED_API_KEY: "" } });
    expect(await bed.until(({ phase }) => phase.kind === "failed")).toMatchObject({
      phase: { message: "the agent requires a login: Authentication required" },
    });
  });

  test("with an agent of another version of the protocol", async () => {
    await using bed = await agentBed({ habits: { version: 9 } });
    expect(await bed.until(({ phase }) => phase.kind === "failed")).toMatchObject({
      phase: { message: expect.stringContaining("version 9") },
    });
  });
});
