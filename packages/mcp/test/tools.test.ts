import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Client } from "@tmpm/api/client";
import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { type Calling, callTool, TOOLS, toolsFor } from "../src/index.js";
import { fitting, MOST_BYTES, page, visible } from "../src/shown.js";

const DOCS = readFileSync(resolve(import.meta.dirname, "../../../docs/mcp.md"), "utf8").split("\n## Tools\n")[1] ?? "";

function calling(client: Record<string, unknown>, self: string | null = null): Calling & { readonly pauses: number[] } {
  const pauses: number[] = [];
  return {
    // Only the calls of the tested tools are implemented.
    client: client as unknown as Client,
    self,
    signal: new AbortController().signal,
    pauses,
    now: () => pauses.reduce((sum, ms) => sum + ms, 0),
    sleep: async (ms) => void pauses.push(ms),
  };
}

function toolNamed(name: string) {
  const found = TOOLS.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

/** What a row is made of. */
function row(name: string) {
  const at = "2026-11-28T00:00:00.000Z";
  return {
    ...{
      id: randomUUID(),
      name,
      agent: "shell",
      state: "active",
      cwd: "/w",
      project_id: "p",
      spawned_by: null,
      queued: 0,
      hint: null,
      task: "",
    },
    activity: { state: "idle", source: "screen", since: at, observed_at: at },
  };
}

const away = () => new TmpmError("DAEMON_UNREACHABLE", "no daemon listens");

describe("the tools", () => {
  test("are the rows of docs/mcp.md, in its order, and none approves", () => {
    const rows = [...DOCS.matchAll(/^\| (`[a-z_]+`(?:, `[a-z_]+`)*) \|/gm)].flatMap(([, names = ""]) =>
      [...names.matchAll(/[a-z_]+/g)].map(String),
    );
    expect(TOOLS.map(({ name }) => name)).toEqual(rows);
    expect(TOOLS.filter(({ name }) => /approve|allow|deny/.test(name))).toEqual([]);
  });

  test("declare correctly which are read-only, the only ones outside of a session", () => {
    expect(toolsFor({ self: null, steers: false }).every(({ hints }) => hints.readOnly && !hints.destructive)).toBe(true);
    expect(toolsFor({ self: "a", steers: false })).toEqual(TOOLS);
    const steering = toolsFor({ self: null, steers: true }).map(({ name }) => name);
    expect(TOOLS.map(({ name }) => name).filter((name) => !steering.includes(name))).toEqual(["ask_human", "report"]);
  });
});

describe("a call", () => {
  test("is repeated while the daemon is away, and then reports it", async () => {
    let asked = 0;
    const client = {
      show: async () => {
        asked += 1;
        throw away();
      },
    };
    const call = calling(client);
    const answer = await callTool(toolNamed("get_session"), { input: { session: "a" }, call });
    expect(answer).toMatchObject({ isError: true, structuredContent: { error: { code: "DAEMON_UNREACHABLE" } } });
    expect(asked).toBe(call.pauses.length + 1);
    expect(asked).toBeGreaterThan(10);
  });

  test("to list agents reports the rest of the budgets that bound the caller, and none outside a session", async () => {
    const budget = { scope: "lineage", id: "a", name: "planner", kind: "turns", limit: 9, used: 4, remaining: 5 };
    const client = {
      agents: async () => ({ agents: [], next: null }),
      usage: async ({ session }: { readonly session: string }) => ({ budgets: session === "b" ? [budget] : [] }),
    };
    const list = (self: string | null) => callTool(toolNamed("list_agents"), { input: {}, call: calling(client, self) });
    expect((await list("b")).structuredContent).toMatchObject({ budgets: [budget] });
    expect((await list(null)).structuredContent).toMatchObject({ budgets: [] });
  });

  test("is not repeated when it may have had an effect", async () => {
    let asked = 0;
    const client = {
      show: async () => {
        asked += 1;
        throw new TmpmError("DAEMON_UNREACHABLE", "cut off", { effect: "unknown" });
      },
    };
    await callTool(toolNamed("get_session"), { input: { session: "a" }, call: calling(client) });
    expect(asked).toBe(1);
  });

  test("to start a session that may have started names the key that repeats it", async () => {
    const keys: unknown[] = [];
    const client = {
      create: async (_: unknown, { key }: { readonly key: string }) => {
        keys.push(key);
        throw new TmpmError("DAEMON_UNREACHABLE", "no answer in time", { effect: "unknown" });
      },
    };
    const input = { agent: "shell", prompt: "x", cwd: "/w" };
    const answer = await callTool(toolNamed("start_session"), { input, call: calling(client) });
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(answer.structuredContent).toMatchObject({
      error: { effect: "unknown", hint: expect.stringContaining(`"idempotency_key": "${keys[0]}"`) },
    });
    await callTool(toolNamed("start_session"), { input: { ...input, idempotency_key: "mine" }, call: calling(client) });
    expect(keys[1]).toBe("mine");
  });

  test("to start a session does not wait, and names the turn of its prompt", async () => {
    const asked: unknown[] = [];
    const session = row("worker");
    const turn_id = randomUUID();
    const client = {
      create: async (input: unknown) => {
        asked.push(input);
        return { ...session, state: "provisioning", receipt: null, turn_id };
      },
    };
    const input = { agent: "shell", prompt: "x", cwd: "/w" };
    const { structuredContent } = await callTool(toolNamed("start_session"), { input, call: calling(client) });
    expect(asked).toEqual([{ ...input, no_wait: true }]);
    expect(structuredContent).toMatchObject({ session: { id: session.id, name: "worker", state: "provisioning" }, turn: turn_id });
  });

  test("start_session uses the agent and settings of a profile, but not its settings for another agent", async () => {
    const asked: unknown[] = [];
    const session = row("worker");
    const client = {
      async create(input: unknown) {
        asked.push(input);
        return { ...session, receipt: null, turn_id: null };
      },
    };
    const profiles = {
      careful: { agent: "claude", model: "large", effort: "high", permissions: "plan", env: ["KEY"] },
      plain: { model: "m" },
      shell: { command: ["/bin/zsh", "-l"] },
    };
    const profile = async (name: string) => {
      const found = new Map(Object.entries(profiles)).get(name);
      if (found === undefined) throw new TmpmError("INVALID_ARGUMENT", "no such profile");
      return found;
    };
    const start = async (more: object, call: object = { profile }) => {
      const input = { prompt: "x", cwd: "/w", ...more };
      return (await callTool(toolNamed("start_session"), { input, call: { ...calling(client), ...call } })).structuredContent;
    };
    await start({ profile: "careful" });
    await start({ profile: "careful", model: "small" });
    await start({ profile: "careful", agent: "codex" });
    await start({ profile: "plain", agent: "codex" });
    await start({ profile: "careful", agent: "claude-code" });
    await start({ profile: "shell" });
    const common = { prompt: "x", cwd: "/w", no_wait: true };
    const careful = { agent: "claude", reasoning_effort: "high", permissions: "plan" };
    expect(asked).toEqual([
      { ...common, ...careful, model: "large" },
      { ...common, ...careful, model: "small" },
      { ...common, agent: "codex" },
      { ...common, agent: "codex", model: "m" },
      { ...common, ...careful, model: "large" },
      { ...common, agent: "shell", argv: ["/bin/zsh", "-l"] },
    ]);
    const refused = { error: { code: "INVALID_ARGUMENT" } };
    for (const more of [{}, { profile: "plain" }, { profile: "missing" }]) expect(await start(more)).toMatchObject(refused);
    expect(await start({ profile: "careful" }, {})).toMatchObject(refused);
    expect(asked).toHaveLength(6);
  });

  test("get_receipt returns the daemon's receipt, and an error for an unknown prompt of a session that is provisioning", async () => {
    const carried = randomUUID();
    const receipt = { outcome: "held", reason: "carried", bytes: 1, evidence: [], id: null, altered: null, hint: null };
    const client = {
      receipt: async ({ send }: { readonly send: string }) =>
        send === carried ? { id: carried, done: false, receipt } : Promise.reject(new TmpmError("SEND_NOT_FOUND", "no send")),
      show: async () => ({ state: "provisioning" }),
    };
    const get = async (send: string) =>
      (await callTool(toolNamed("get_receipt"), { input: { session: "a", send }, call: calling(client) })).structuredContent;
    expect(await get(carried)).toEqual({ id: carried, done: false, receipt });
    expect(await get(randomUUID())).toMatchObject({ error: { code: "SEND_NOT_FOUND" } });
  });

  test("waits no longer in sum when the daemon was away first", async () => {
    const asked: number[] = [];
    const client = {
      waitMany: async ({ timeout_ms }: { readonly timeout_ms: number }) => {
        asked.push(timeout_ms);
        throw asked.length <= 4 ? away() : new TmpmError("TIMEOUT", "not idle in time");
      },
    };
    const call = calling(client);
    await callTool(toolNamed("wait"), { input: { sessions: ["a"], seconds: 20 }, call });
    expect(call.now()).toBeGreaterThan(0);
    expect(asked.at(-1)).toBe(20_000 - call.now());
  });

  test("to list sessions answers with whole rows and the cursor after them", async () => {
    const sessions = Array.from({ length: 12 }, (_, i) => ({ ...row(`s${i}`), task: "\u{1f600}".repeat(300) }));
    const asked: unknown[] = [];
    const client = {
      list: async ({ limit }: { readonly limit: number }) => {
        asked.push(limit);
        return { sessions: sessions.slice(0, limit), next: `after ${limit}` };
      },
    };
    const answer = await callTool(toolNamed("list_sessions"), { input: { limit: 12 }, call: calling(client) });
    expect(answer.isError, JSON.stringify(answer.content)).toBeUndefined();
    const text = JSON.parse(answer.content[0]?.text ?? "");
    expect(text).toEqual(answer.structuredContent);
    expect(text.sessions.length).toBeLessThan(12);
    expect(text.next).toBe(`after ${text.sessions.length}`);
    expect(asked).toEqual([12, text.sessions.length]);
  });

  test("to list sessions takes rows and cursor from one answer, although the list changes meanwhile", async () => {
    const named = (name: string, faces: number) => ({ ...row(name), task: "\u{1f600}".repeat(faces) });
    const answers = [
      [named("old", 300), ...Array.from({ length: 11 }, () => named("rest", 300))],
      [named("new", 2_400), named("old", 300)],
    ];
    const asked: number[] = [];
    const client = {
      list: async ({ limit }: { readonly limit: number }) => {
        const sessions = (answers[asked.length] ?? [named("new", 300)]).slice(0, limit);
        asked.push(limit);
        return { sessions, next: `after ${sessions.at(-1)?.name}` };
      },
    };
    const answer = await callTool(toolNamed("list_sessions"), { input: { limit: 12 }, call: calling(client) });
    const { sessions, next } = JSON.parse(answer.content[0]?.text ?? "");
    expect(sessions[0]).toMatchObject({ name: "new" });
    expect(next).toBe(`after ${sessions.at(-1).name}`);
  });

  test("to wait is pending without a daemon, and after its timeout", async () => {
    const tool = toolNamed("wait");
    const input = { sessions: ["a"] };
    const gone = await callTool(tool, { input, call: calling({ waitMany: async () => Promise.reject(away()) }) });
    expect(gone).toMatchObject({ structuredContent: { status: "pending" } });
    const late = await callTool(tool, {
      input,
      call: calling({ waitMany: async () => Promise.reject(new TmpmError("TIMEOUT", "not idle in time")) }),
    });
    expect(late.structuredContent).toEqual({ status: "pending", sessions: [], reason: "not idle in time", next: null });
    expect(late.isError).toBeUndefined();
    const asked: unknown[] = [];
    const numbered = async ({ after }: { readonly after?: number }) => {
      asked.push(after);
      throw new TmpmError("TIMEOUT", "not idle in time", { details: { after: after ?? 41 } });
    };
    const first = await callTool(tool, { input, call: calling({ waitMany: numbered }) });
    const cursor = first.structuredContent?.next;
    const second = await callTool(tool, { input: { ...input, cursor }, call: calling({ waitMany: numbered }) });
    expect([cursor, second.structuredContent?.next, asked]).toEqual(["41", "41", [undefined, 41]]);
    const restarting = await callTool(tool, {
      input: { ...input, cursor },
      call: calling({ waitMany: async () => Promise.reject(away()) }),
    });
    expect(restarting.structuredContent).toMatchObject({ status: "pending", next: "41" });
  });

  test("returns no character that a terminal obeys, and no long text", async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `\x1b[31m${index} ${"x".repeat(60)}\x07`);
    const capture = async () => ({ lines, live: true, captured_at: "2026-01-02T03:04:05Z", title: "\x1b]0;x\x07" });
    const answer = await callTool(toolNamed("read_screen"), { input: { session: "a", lines: 200 }, call: calling({ capture }) });
    const [{ text } = { text: "" }] = answer.content;
    expect(text).toContain("399: \\x1b[31m399");
    expect(Buffer.byteLength(text)).toBeLessThan(MOST_BYTES);
    expect(JSON.stringify(answer)).not.toMatch(/\\u001b|\\u0007/);
    const { from, lines: shown } = answer.structuredContent ?? {};
    expect(from).toBe(400 - (Array.isArray(shown) ? shown.length : 0));
  });

  test("returns a long result in pages that can be joined", async () => {
    const said = 'né\n"quoted" 👍🏽 '.repeat(2_000);
    const turn = {
      ...{
        id: "6d1f3c5a-7a52-4b8e-9c0d-1e2f3a4b5c6d",
        generation: 1,
        state: "ended",
        outcome: "completed",
        reason: "ready",
        decision_id: null,
        position: null,
        note: null,
      },
      ...{ accepted_at: "2026-01-02T03:04:05Z", started_at: null, ended_at: null, final_message: said },
    };
    const file = { path: "a\x1b.ts", status: "added", added: 1, removed: 0, patch: null };
    const diff = async () => ({ total: { files: 900, added: 900, removed: 0 }, files: Array.from({ length: 50 }, () => file) });
    const call = calling({ turns: async () => ({ turns: [turn], next: null }), diff });
    const first = await callTool(toolNamed("get_result"), { input: { session: "a" }, call });
    const changes = first.structuredContent?.changes;
    expect(changes).toMatchObject({ total: { files: 900 } });
    expect((changes as { files: unknown[] }).files).toContainEqual({ path: "a\\x1b.ts", status: "added", added: 1, removed: 0 });
    const outside = calling({ ...call.client, diff: async () => Promise.reject(new TmpmError("REPOSITORY_NOT_FOUND", "not in one")) });
    expect((await callTool(toolNamed("get_result"), { input: { session: "a" }, call: outside })).structuredContent).toMatchObject({
      changes: null,
      turn: { outcome: "completed" },
    });
    const parts: string[] = [];
    let cursor: unknown;
    do {
      const { structuredContent = {} } = await callTool(toolNamed("get_result"), {
        input: { session: "a", ...(cursor ? { cursor } : {}) },
        call,
      });
      parts.push(String(structuredContent.final_message));
      expect(Buffer.byteLength(JSON.stringify(structuredContent))).toBeLessThan(MOST_BYTES);
      cursor = structuredContent.next;
    } while (typeof cursor === "string");
    expect(cursor).toBe(null);
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.join("")).toBe(said);
  });
});

test("texts are made visible at any depth, and lists are cut to the limit", () => {
  expect(visible({ a: ["\x1b", { b: "\u202e" }], n: 1 })).toEqual({ a: ["\\x1b", { b: "\\u202e" }], n: 1 });
  expect(page("abc", { cursor: "1", most: 1 })).toEqual({ text: "b", next: "2" });
  expect(page("abc", { cursor: "99", most: 9 })).toEqual({ text: "", next: null });
  expect(fitting(["aaaa", "bbbb"], 8)).toEqual(["aaaa"]);
});
