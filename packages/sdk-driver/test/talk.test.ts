import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ConversationState } from "../src/conversation/state.js";
import { type AgentFixture, agentFixture, script } from "./agent-fixture.js";

const isOpen = ({ phase }: ConversationState) => phase.kind === "open";
const rests = ({ turn, last }: ConversationState) => turn === null && last !== null;

async function openHostFixture(options?: Parameters<typeof agentFixture>[0]): Promise<AgentFixture> {
  const fixture = await agentFixture(options);
  await fixture.until(isOpen);
  return fixture;
}

describe("a prompt", () => {
  test("arrives exactly, and its caller is answered as soon as the agent has it", async () => {
    await using fixture = await openHostFixture();
    const text = "Grüße,\n\ttabs, 日本語 😀, \u2028 and a `/slash`\n  ".repeat(2_000);
    const put = await fixture.talk.prompt({ key: "k1", text });
    expect(put.fate).toEqual({ kind: "taken" });
    expect(put.evidence[0]).toBe("session/prompt was sent to the agent in full");
    const { transcript } = await fixture.until(rests);
    const digest = createHash("sha256").update(text).digest("hex");
    expect(transcript.entries.at(-1)).toMatchObject({
      who: "agent",
      text: `small read sha256 ${digest} of ${Buffer.byteLength(text)} bytes`,
    });
  });

  test("with a used key is not sent again", async () => {
    await using fixture = await openHostFixture();
    await fixture.talk.prompt({ key: "k1", text: "one" });
    await fixture.until(rests);
    expect(await fixture.talk.prompt({ key: "k1", text: "one" })).toMatchObject({ fate: { kind: "taken" } });
    expect(fixture.events.filter(({ type }) => type === "prompted")).toHaveLength(1);
    expect([fixture.talk.prompted("k1")?.fate.kind, fixture.talk.prompted("k2")]).toEqual(["taken", null]);
  });

  test("is refused while a turn runs, and when the agent rejects it", async () => {
    await using fixture = await openHostFixture({ patience: { refusesMs: 100_000 } });
    const slow = fixture.talk.prompt({ key: "k1", text: script({ slowMs: 60_000 }) });
    expect((await fixture.talk.prompt({ key: "k2", text: "two" })).fate).toMatchObject({ kind: "refused" });
    await fixture.talk.cancel();
    await fixture.until(rests);
    expect((await slow).fate).toEqual({ kind: "taken" });
    const put = await fixture.talk.prompt({ key: "k3", text: script({ refuse: "too long" }) });
    expect(put.fate).toEqual({ kind: "refused", reason: "too long" });
    expect(fixture.state().turn).toBeNull();
  });

  test("with a failed turn has reached the agent", async () => {
    await using fixture = await openHostFixture();
    const put = await fixture.talk.prompt({ key: "k1", text: script({ error: "529 overloaded" }) });
    expect(put.fate.kind).toBe("taken");
    expect(await fixture.until(rests)).toMatchObject({ last: { kind: "broke", message: "529 overloaded" } });
  });
});

describe("a permission", () => {
  test("waits until it is answered, each separately", async () => {
    await using fixture = await openHostFixture();
    await fixture.talk.prompt({ key: "k1", text: script({ ask: ["echo one", "echo one"], say: "ok" }) });
    const first = (await fixture.until(({ requests }) => requests.length > 0)).requests[0];
    expect(first).toMatchObject({ tool: "execute", subject: "echo one" });
    expect(fixture.talk.answer({ request: first?.id ?? "", answer: { kind: "approve" } })).toEqual({ label: "Allow once" });
    expect(() => fixture.talk.answer({ request: first?.id ?? "", answer: { kind: "deny" } })).toThrow(
      expect.objectContaining({ code: "DECISION_GONE" }),
    );
    const second = (await fixture.until(({ requests }) => requests.some(({ id }) => id !== first?.id))).requests[0];
    fixture.talk.answer({ request: second?.id ?? "", answer: { kind: "deny" } });
    await fixture.until(rests);
    expect(fixture.lines().filter((line) => line.startsWith("    "))).toEqual(["    ran echo one", "    no: not run"]);
  });

  test("is withdrawn when the turn is cancelled", async () => {
    await using fixture = await openHostFixture();
    await fixture.talk.prompt({ key: "k1", text: script({ ask: ["rm -rf /"] }) });
    await fixture.until(({ requests }) => requests.length === 1);
    await fixture.talk.cancel();
    expect(await fixture.until(rests)).toMatchObject({ requests: [], last: { kind: "ended", stop: "cancelled" } });
    expect(fixture.lines()).toContain("    cancelled: not run");
  });

  test.each([{ say: "done" }, { error: "529 overloaded" }])("that is open when its turn ends is answered too: %j", async (end) => {
    await using fixture = await openHostFixture();
    await fixture.talk.prompt({ key: "k1", text: script({ aside: ["rm -rf /"], ...end }) });
    expect(await fixture.until(rests)).toMatchObject({ requests: [] });
    await fixture.until(() => fixture.lines().includes("    cancelled: not run"));
    const [asked] = fixture.events.flatMap((event) => (event.type === "asked" ? [event.request.id] : []));
    expect(() => fixture.talk.answer({ request: asked ?? "", answer: { kind: "approve" } })).toThrow(
      expect.objectContaining({ code: "DECISION_GONE" }),
    );
  });
});

test("other output on the pipe is logged, and the turn ends as usual", async () => {
  await using fixture = await openHostFixture();
  await fixture.talk.prompt({
    key: "k1",
    text: script({ garbage: true, plan: ["a", "b"], thinks: "hm", lines: 40_000, tokens: 123, say: "ok" }),
  });
  const { transcript } = await fixture.until(rests);
  expect(transcript).toMatchObject({
    tokens: 123,
    context_limit: 100_000,
    plan: [{ content: "a", status: "in_progress" }, { content: "b" }],
  });
  expect(fixture.lines()).toEqual(
    expect.arrayContaining(["! the agent printed: this is not a message", '! the agent printed: "nor this"', "~ hm", "ok"]),
  );
});

test("an agent that does not read is reported soon, whatever it is asked", async () => {
  await using fixture = await openHostFixture({ patience: { writesMs: 50 } });
  process.kill(fixture.pid, "SIGSTOP");
  const put = await fixture.talk.prompt({ key: "k1", text: "x".repeat(1_000_000) });
  expect(put.fate).toEqual({ kind: "unwritten" });
  const asked = await Promise.allSettled([fixture.talk.set({ name: "mode", value: "plan" }), fixture.talk.cancel()]);
  expect(asked).toMatchObject([
    { status: "rejected", reason: { code: "UNRESPONSIVE", effect: "none" } },
    { status: "rejected", reason: { code: "UNRESPONSIVE", effect: "unknown" } },
  ]);
  process.kill(fixture.pid, "SIGCONT");
  expect((await fixture.until(rests)).last).toMatchObject({ kind: "ended" });
});

test("an agent that exits during a turn is reported with its exit", async () => {
  await using fixture = await openHostFixture();
  const put = await fixture.talk.prompt({ key: "k1", text: script({ crash: true }) });
  expect(put.fate.kind).toBe("taken");
  expect(await fixture.until(({ phase }) => phase.kind === "exited")).toMatchObject({ phase: { status: 7 }, turn: null });
  expect((await fixture.talk.prompt({ key: "k2", text: "still there?" })).fate).toEqual({ kind: "refused", reason: "the agent has ended" });
});

test("an agent gets the tools of its session, with the variables that name the session, and no others", async () => {
  const server = { name: "tmpm", command: "/bin/sh", args: ["/x/tools"], env: [{ name: "TMPM_SESSION_TOKEN", value: "t" }] };
  const env = { TMPM_SESSION_TOKEN: "t", SECRET: "mine" };
  await using fixture = await openHostFixture({ tools: ["/bin/sh", "/x/tools"], env, habits: { servers: [server] } });
  expect(fixture.state().phase.kind).toBe("open");
  await using without = await openHostFixture({ env, habits: { servers: [] } });
  expect(without.state().phase.kind).toBe("open");
});

describe("settings", () => {
  test("requested before the first prompt apply to it, and a refused one prevents no conversation", async () => {
    await using fixture = await openHostFixture({ wishes: { model: "large", mode: "wild" } });
    expect(fixture.state().settings).toMatchObject({ model: { current: "large" }, mode: { current: "build" } });
    expect(fixture.lines()).toContain('! it has no mode "wild"; it has build, plan');
  });

  test("that the agent changes itself are noticed", async () => {
    await using fixture = await openHostFixture();
    await fixture.talk.prompt({ key: "k1", text: script({ model: "large", say: "ok" }) });
    expect((await fixture.until(rests)).settings).toMatchObject({ model: { current: "large" }, mode: { current: "build" } });
  });

  test("are changed while the agent runs, and can be reset to its own", async () => {
    await using fixture = await openHostFixture({ wishes: { model: "large" } });
    expect(await fixture.talk.set({ name: "mode", value: "plan" })).toMatchObject({ kind: "applied" });
    expect(await fixture.talk.set({ name: "model", value: null })).toMatchObject({ kind: "applied" });
    expect(fixture.state().settings).toMatchObject({ model: { current: "small" }, mode: { current: "plan" } });
    expect(await fixture.talk.set({ name: "model", value: "huge" })).toMatchObject({ kind: "refused" });
    expect(await fixture.talk.set({ name: "effort", value: "high" })).toMatchObject({ kind: "later" });
  });
});

describe("resuming a conversation", () => {
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly string[], boolean])[] = [
    ["an agent that loads it replays what was said", { load: true }, ["> remember 42"], true],
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
      const said = await openHostFixture({ habits: { store } });
      const id = said.state().conversation_id;
      await said.talk.prompt({ key: "k1", text: "remember 42" });
      await said.until(rests);
      await said[Symbol.asyncDispose]();
      await using fixture = await openHostFixture({ habits: { store, ...habits }, conversationId: id });
      expect(fixture.state().conversation_id === id).toBe(same);
      expect(fixture.lines().slice(0, 1)).toEqual(shown);
      await fixture.talk.prompt({ key: "k2", text: "and?" });
      expect(await fixture.until(rests)).toMatchObject({ last: { stop: "end_turn" } });
    } finally {
      await rm(store, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  });
});

describe("an agent that requires a login", () => {
  const habits = { auth: "good", heldKey: "good" };
  const env = { SCRIPTED_API_KEY: "good" };

  test("is logged in with the key in its environment, which is logged", async () => {
    await using fixture = await openHostFixture({ habits, env });
    expect(fixture.lines()).toContain("! logged in with SCRIPTED_API_KEY (API key)");
    await fixture.talk.prompt({ key: "k1", text: "and now?" });
    expect(await fixture.until(rests)).toMatchObject({ last: { stop: "end_turn" } });
  });

  test("continues with its conversation after the login", async () => {
    const store = await mkdtemp(join(tmpdir(), "tmpm-said-"));
    try {
      const said = await openHostFixture({ habits: { store } });
      const id = said.state().conversation_id;
      await said[Symbol.asyncDispose]();
      await using fixture = await openHostFixture({ habits: { store, ...habits }, env, conversationId: id });
      expect(fixture.state().conversation_id).toBe(id);
    } finally {
      await rm(store, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  });
});

describe("no conversation", () => {
  test("with an agent that requires a login, which reports the method", async () => {
    await using fixture = await agentFixture({ habits: { auth: true } });
    expect(await fixture.until(({ phase }) => phase.kind === "failed")).toMatchObject({
      phase: {
        message: "the agent requires a login: Authentication required",
        hint: "Log in, then run `tmpm restart`: Log in (Run `scripted login`).",
      },
    });
  });

  test("with an agent that does not accept the key, which lists the other methods too", async () => {
    await using fixture = await agentFixture({ habits: { auth: "good", heldKey: "bad" }, env: { SCRIPTED_API_KEY: "bad" } });
    const { phase } = await fixture.until((state) => state.phase.kind === "failed");
    expect(phase).toMatchObject({
      message: expect.stringMatching(/did not accept SCRIPTED_API_KEY \(API key\): .*the key is not valid/u),
      hint: expect.stringContaining("Log in (Run `scripted login`). API key (Requires SCRIPTED_API_KEY to be set)."),
    });
  });

  test("with an agent whose key is not set: no method that needs a user is started", async () => {
    await using fixture = await agentFixture({ habits: { auth: "good", heldKey: "good" }, env: { SCRIPTED_API_KEY: "" } });
    expect(await fixture.until(({ phase }) => phase.kind === "failed")).toMatchObject({
      phase: { message: "the agent requires a login: Authentication required" },
    });
  });

  test("with an agent of another version of the protocol", async () => {
    await using fixture = await agentFixture({ habits: { version: 9 } });
    expect(await fixture.until(({ phase }) => phase.kind === "failed")).toMatchObject({
      phase: { message: expect.stringContaining("version 9") },
    });
  });
});
