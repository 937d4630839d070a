import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentAdapter } from "@tmpm/agents";
import { workspaces } from "@tmpm/workspace";
import { describe, expect, test } from "vitest";
import { composerProgram } from "../fixtures/composer-program.js";
import { composer, fixture } from "../fixtures/fixture.js";
import { turnAgent } from "../fixtures/turn-agent.js";
import { turnProgram } from "../fixtures/turn-program.js";

/** A session whose work tree has one file of two lines. */
async function reviewed(options: Parameters<typeof fixture>[0] = {}) {
  const files = {
    ...workspaces({ home: join(tmpdir(), "tmpm-has-no-workspaces") }),
    readSide: async () => ({ blob: "b", lines: ["one", "two"] }),
  };
  const each = fixture({ ...options, ports: { workspaces: files } });
  await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
  const comment = (line: number) => each.sessions.comment({ session: "demo", path: "a.txt", line, comment: `on ${line}` });
  return { ...each, comment };
}

describe("a repeated request with a key", () => {
  test("gets its receipt after its session has ended, and its key still belongs to one text", async () => {
    const { sessions } = await reviewed();
    const keyed = { session: "demo", text: "hello", idempotency_key: "k" };
    const first = await sessions.send(keyed);
    await sessions.stop({ session: "demo" });
    expect((await sessions.send(keyed)).receipt).toEqual(first.receipt);
    await expect(sessions.send({ ...keyed, text: "other" })).rejects.toMatchObject({ code: "IDEMPOTENCY_MISMATCH" });
    await expect(sessions.send({ ...keyed, idempotency_key: "l" })).rejects.toMatchObject({ code: "INVALID_STATE" });
  });

  test("gets its turn after its session has ended", async () => {
    const { sessions } = await reviewed();
    const keyed = { session: "demo", prompt: "hello", idempotency_key: "k" };
    const { turn } = await sessions.submit(keyed);
    await sessions.stop({ session: "demo" });
    expect((await sessions.submit(keyed)).turn.id).toBe(turn.id);
    await expect(sessions.submit({ ...keyed, prompt: "other" })).rejects.toMatchObject({ code: "IDEMPOTENCY_MISMATCH" });
  });

  test("gets its receipt even after its comments were sent and its uploads removed", async () => {
    const { sessions, comment, tmux } = await reviewed();
    await comment(1);
    const keyed = { session: "demo", text: "please", comments: true, idempotency_key: "k" };
    const first = await sessions.send(keyed);
    await comment(2);
    expect((await sessions.send(keyed)).receipt).toEqual(first.receipt);
    await expect(sessions.send({ ...keyed, text: "other" })).rejects.toMatchObject({ code: "IDEMPOTENCY_MISMATCH" });
    await expect(sessions.send({ ...keyed, comments: false })).rejects.toMatchObject({ code: "IDEMPOTENCY_MISMATCH" });
    expect((await sessions.comments({ session: "demo" })).comments.map(({ sent }) => sent?.send_id ?? null)).toEqual([
      first.receipt.id,
      null,
    ]);
    expect(tmux.received("tmpm-demo").filter(({ type }) => type === "paste")).toHaveLength(1);
  });
});

describe("comments", () => {
  test("are carried by one of two sends at the same time, and marked before it is delivered", async () => {
    const { sessions, comment } = await reviewed({ programs: { "composer-agent": composerProgram({ dialog: true }) } });
    await comment(1);
    const send = () => sessions.send({ session: "demo", text: "", comments: true, no_wait: true });
    const [one, two] = await Promise.allSettled([send(), send()]);
    expect([one?.status, two]).toMatchObject(["fulfilled", { status: "rejected", reason: { code: "COMMENT_NOT_FOUND" } }]);
    const sent = async () => (await sessions.comments({ session: "demo" })).comments.map(({ sent }) => sent !== null);
    expect(await sent()).toEqual([true]);
    await expect(send()).rejects.toMatchObject({ code: "COMMENT_NOT_FOUND" });
    await comment(2);
    await sessions.send({ session: "demo", text: "", comments: true, queue: true });
    expect(await sent()).toEqual([true, true]);
    await sessions.close();
  });
});

describe("a repeated creation", () => {
  const ID = "00000000-0000-4000-8000-0000000000aa";
  const carrier: AgentAdapter = {
    ...turnAgent,
    id: "carrier",
    limits: { ...turnAgent.limits, promptInArgv: 100 },
    launch: async ({ prompt }) => ({
      argv: ["turn-agent", prompt ?? ""],
      env: {},
      conversationId: null,
      carriesPrompt: prompt !== null,
    }),
  };
  const one = (prompt: object) => ({ id: ID, agent: "carrier", cwd: "/w", name: "demo", ...prompt });

  function carrying() {
    return fixture({ adapters: [composer, carrier], programs: { "turn-agent": turnProgram(() => undefined) } });
  }

  test("gets the receipt of a prompt that the launch carried", async () => {
    const { sessions } = carrying();
    const first = await sessions.create(one({ prompt: "work 5000" }));
    expect(first.receipt).toMatchObject({ outcome: "submitted", reason: "carried" });
    expect((await sessions.create(one({ prompt: "work 5000" }))).receipt).toEqual(first.receipt);
  });

  test("has no receipt without a prompt, regardless of its task and of later sends", async () => {
    const { sessions } = carrying();
    expect((await sessions.create(one({ task: "Fix it" }))).receipt).toBeNull();
    expect((await sessions.create(one({ task: "Fix it" }))).receipt).toBeNull();
    await sessions.send({ session: "demo", text: "work 100" });
    expect((await sessions.create(one({ task: "Fix it" }))).receipt).toBeNull();
  });
});
