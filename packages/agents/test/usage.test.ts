import { existsSync, readdirSync, readFileSync } from "node:fs";
import { appendFile, cp, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { addTokens, NO_TOKENS, PROTOCOL_USAGE_FILE, type TokenCounts, UsageRecord, usedTokens } from "@tmpm/core";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentAdapter } from "../src/adapter.js";
import { claude } from "../src/claude/claude.js";
import { claudeContextLimit } from "../src/claude/context-limit.js";
import { codex } from "../src/codex/codex.js";
import { command } from "../src/command.js";
import { gemini } from "../src/gemini/gemini.js";
import { opencode } from "../src/opencode/opencode.js";
import { protocolProgram } from "../src/protocol-agent.js";
import { grownLines } from "../src/usage/grown-lines.js";
import type { UsageSource } from "../src/usage/usage-source.js";

const FIXTURES = join(import.meta.dirname, "usage");
const FIRST = "11111111-1111-4111-8111-111111111111";

interface Asked extends Omit<TokenCounts, never> {
  readonly step?: string;
  readonly model: string;
}

/** The mock model's responses in the recordings of a version's transcripts, by step. */
function asked(version: string, steps: readonly string[], counts: (entry: Asked) => boolean = () => true): TokenCounts {
  const entries: Asked[] = readFileSync(join(FIXTURES, version, "asked.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  let step = "";
  return entries.reduce((sum, entry) => {
    step = entry.step ?? step;
    return entry.step === undefined && steps.includes(step) && counts(entry) ? addTokens(sum, entry) : sum;
  }, NO_TOKENS);
}

function empty(): UsageRecord {
  return UsageRecord.parse({ session_id: "00000000-0000-4000-8000-000000000001", updated_at: "2026-11-29T00:00:00Z" });
}

interface Reading {
  readonly source: UsageSource | undefined;
  readonly version: string;
  readonly conversationId: string;
  readonly home?: string;
}

async function counted(
  { source, version, conversationId, home = join(FIXTURES, version) }: Reading,
  chunk = 1_000_000,
): Promise<UsageRecord> {
  if (source === undefined) throw new Error("no source");
  let record = empty();
  for (const path of await source.locate({ conversationId, env: { HOME: home } })()) {
    for (let more = true; more; ) ({ record, more } = source.count(record, { path, chunk, nowMs: 0, taken: () => false }));
  }
  return record;
}

const CLAUDE = { source: claude.usage, version: "claude-2.1.332" };
const CODEX = { source: codex.usage, version: "codex-0.171.0" };

function rollouts(version = CODEX.version): readonly string[] {
  return readdirSync(join(FIXTURES, version, ".codex"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".jsonl"))
    .toSorted();
}

function idOf(rollout: string): string {
  return basename(rollout, ".jsonl").slice(-36);
}

describe("recorded transcripts count requests to the token", () => {
  test("of Claude Code: tools, retries, sub-agents and turns after a compaction, each response once", async () => {
    // Claude Code does not record the cost of a compaction's summary.
    const steps = ["first", "tool", "retry", "agent", "after"];
    const record = await counted({ ...CLAUDE, conversationId: FIRST });
    expect(usedTokens(record)).toEqual(asked("claude-2.1.332", steps));
    expect(record.days).toMatchObject([{ day: "2026-11-29", model: "claude-opus-5-5", requests: 9 }]);
    expect(record.context).toEqual({ tokens: 1012 + 2120 + 312 + 62, limit: 1_000_000 });
  });

  test("of Claude Code: a fork counts only what follows it, another conversation of the directory only itself", async () => {
    const fork = readdirSync(join(FIXTURES, "claude-2.1.332/.claude/projects/-home-me-claude-proj")).find(
      (name) => !/^(1|2)\1{7}/.test(name),
    );
    expect(usedTokens(await counted({ ...CLAUDE, conversationId: basename(fork ?? "", ".jsonl") }))).toEqual(
      asked("claude-2.1.332", ["fork"]),
    );
    const other = await counted({ ...CLAUDE, conversationId: "22222222-2222-4222-8222-222222222222" });
    expect(usedTokens(other)).toEqual(asked("claude-2.1.332", ["other"]));
  });

  test("of Codex: excludes cached input from input, and counts reasoning as output", async () => {
    const [first, other] = rollouts().map(idOf);
    const record = await counted({ ...CODEX, conversationId: first ?? "" });
    expect(usedTokens(record)).toEqual(asked("codex-0.171.0", ["first", "tool", "retry", "agent"]));
    expect(record.days).toMatchObject([{ model: "mock-model", requests: 6 }]);
    expect(record.context?.limit).toBeGreaterThan(100_000);
    expect(usedTokens(await counted({ ...CODEX, conversationId: other ?? "" }))).toEqual(asked("codex-0.171.0", ["other"]));
  });

  test("of Codex: a sub-agent, a resumed conversation and a compaction; another conversation of the directory counts itself only", async () => {
    const version = "codex-0.171.0-subagents";
    const [first = "", sub = "", other = ""] = rollouts(version).map(idOf);
    const record = await counted({ ...CODEX, version, conversationId: first });
    expect(Object.keys(record.files).map((path) => idOf(path))).toEqual([first, sub]);
    expect(usedTokens(record)).toEqual(asked(version, ["first", "tool", "retry", "agent", "resume", "compact", "after"]));
    // The sub-agent does not report the context of the conversation.
    expect(record.context?.tokens).toBe(1012 + 2120 + 62);
    expect(usedTokens(await counted({ ...CODEX, version, conversationId: other }))).toEqual(asked(version, ["other"]));
  });

  test("of Codex before its usage records: from token counts only", async () => {
    const home = await copied("codex-0.171.0");
    const [first = ""] = rollouts();
    const path = join(home, ".codex", first);
    const lines = (await readFile(path, "utf8")).split("\n").filter((line) => !line.includes('"token_usage_record"'));
    // It repeats the same counts when its limits change.
    const repeated = lines.flatMap((line) => (line.includes('"token_count"') ? [line, line] : [line]));
    await writeFile(path, repeated.join("\n"));
    expect(usedTokens(await counted({ ...CODEX, home, conversationId: idOf(first) }))).toEqual(
      asked("codex-0.171.0", ["first", "tool", "retry", "agent"]),
    );
  });

  test("of Gemini CLI: a response rewritten with its tools counts once", async () => {
    const record = await counted({
      source: gemini.usage,
      version: "gemini-0.61.0",
      conversationId: "33333333-3333-4333-8333-333333333333",
    });
    // Gemini CLI does not record its requests to the smaller model that selects the model.
    expect(usedTokens(record)).toEqual(asked("gemini-0.61.0", ["first", "tool"], ({ model }) => !model.includes("lite")));
  });

  test("of Gemini CLI: a retry, a sub-agent, and the turns after a compaction and a resume", async () => {
    const source = { source: gemini.usage, version: "gemini-0.61.0-subagents" };
    const answers = ({ model }: Asked) => !model.includes("lite");
    const record = await counted({ ...source, conversationId: "79f799be-4d8b-4170-bf0f-9f4d84b08385" });
    // Gemini CLI does not record the summary requests of a compaction.
    expect(usedTokens(record)).toEqual(asked(source.version, ["first", "retry", "agent", "after", "resume"], answers));
    expect(Object.keys(record.files)).toHaveLength(3);
    const other = await counted({ ...source, conversationId: "708f1406" });
    expect(usedTokens(other)).toEqual(asked(source.version, ["other"], answers));
  });

  test("of OpenCode, written by its plugin: tools, retries, a sub-agent, and all conversations of the session", async () => {
    const path = join(FIXTURES, "opencode-1.18.33", "opencode-usage.jsonl");
    const { record } = counting(opencode.usage).count(empty(), { path, nowMs: 0, taken: () => false });
    // The first request of each conversation of a user generates its title, and is not an answer.
    const titles = [1001, 1009];
    const steps = ["first", "tool", "retry", "agent", "other"];
    expect(usedTokens(record)).toEqual(asked("opencode-1.18.33", steps, ({ input }) => !titles.includes(input)));
    expect(record.days).toMatchObject([{ model: "mock-model", requests: 8 }]);
    expect(record.context).toEqual({ tokens: 1010 + 2100 + 60, limit: 200_000 });
  });

  test("as ccusage counts the same files", async () => {
    const expected: Record<"claude" | "codex" | "codex_with_subagents", Record<string, TokenCounts>> = JSON.parse(
      readFileSync(join(FIXTURES, "ccusage.json"), "utf8"),
    );
    for (const [name, tokens] of Object.entries(expected.claude))
      expect(usedTokens(await counted({ ...CLAUDE, conversationId: name })), name).toEqual(tokens);
    for (const [name, tokens] of Object.entries(expected.codex))
      expect(usedTokens(await counted({ ...CODEX, conversationId: name.slice(-36) })), name).toEqual(tokens);
    // ccusage counts each rollout as a session, also that of a sub-agent.
    const [main = NO_TOKENS, sub = NO_TOKENS, other] = Object.values(expected.codex_with_subagents);
    const [first = "", , last = ""] = Object.keys(expected.codex_with_subagents);
    const version = "codex-0.171.0-subagents";
    expect(usedTokens(await counted({ ...CODEX, version, conversationId: first.slice(-36) }))).toEqual(addTokens(main, sub));
    expect(usedTokens(await counted({ ...CODEX, version, conversationId: last.slice(-36) }))).toEqual(other);
  });
});

function counting(source: UsageSource | undefined): UsageSource {
  if (source === undefined) throw new Error("no source");
  return source;
}

describe("protocol agent", () => {
  const asked = async (adapter: AgentAdapter | undefined, lines: string) => {
    const folder = await mkdtemp(join(tmpdir(), "tmpm-usage-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const plan = adapter?.keeper?.({ command: ["true"], folder, env: {} });
    for (const { path, text } of plan?.files ?? []) await writeFile(path, text);
    if (lines !== "") await writeFile(join(folder, PROTOCOL_USAGE_FILE), lines);
    return { folder, plan, locate: adapter?.usage?.locate({ conversationId: "c", env: {}, folder }) };
  };

  test("is counted from each turn's report when its record is unreadable", async () => {
    const tokens = { input: 7, cache_read: 1, cache_write: 0, output: 3, reasoning: 2 };
    const line = JSON.stringify({ id: "turn", atMs: Date.UTC(2026, 10, 28), model: "m", tokens, context: 11, limit: 100 });
    const { locate } = await asked(protocolProgram(command), `${line}\n${line}\nnot a line\n{"id":"x"}\n`);
    const [path = ""] = (await locate?.()) ?? [];
    const { record } = counting(protocolProgram(command).usage).count(empty(), { path, nowMs: 0, taken: () => false });
    expect(record.days).toEqual([{ day: "2026-11-28", model: "m", requests: 1, tokens }]);
    expect(record.context).toEqual({ tokens: 11, limit: 100 });
  });

  test("of OpenCode has a plugin that counts each response, since its protocol reports only a turn's last", async () => {
    const { folder, plan, locate } = await asked(opencode.protocol, "");
    expect(JSON.parse(plan?.env.OPENCODE_CONFIG_CONTENT ?? "")).toEqual({ plugin: [expect.stringContaining(folder)] });
    const { TmpmUsage } = await import(pathToFileURL(plan?.files[0]?.path ?? "").href);
    const { event } = await TmpmUsage();
    const answer = (id: string, output: number) => ({
      type: "message.updated",
      properties: { info: { id, role: "assistant", modelID: "m", time: { completed: 1 }, tokens: { input: 5, output } } },
    });
    const forked = (id: string) => {
      const { properties, type } = answer(id, 4);
      return { type, properties: { info: { ...properties.info, time: { created: 2, completed: 3 } } } };
    };
    const events = [answer("a", 1), answer("a", 1), answer("b", 2), forked("c"), forked("copy-of-c"), { type: "session.idle" }, {}];
    for (const each of events) await event({ event: each });
    const [path = ""] = (await locate?.()) ?? [];
    const { record } = counting(opencode.protocol?.usage).count(empty(), { path, nowMs: 0, taken: () => false });
    expect(record.days).toMatchObject([{ model: "m", requests: 3, tokens: { input: 15, output: 7 } }]);
  });
});

const IO = "/proc/thread-self/io";

/** Bytes of files that this thread has read so far; each check reads some itself. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(IO, "utf8"))?.[1]);
}

async function copied(version: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "tmpm-usage-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  await cp(join(FIXTURES, version), home, { recursive: true });
  return home;
}

describe("incremental reading", () => {
  test("counts the same in small pieces, from the start again, and over oversized lines", async () => {
    const whole = usedTokens(await counted({ ...CLAUDE, conversationId: FIRST }));
    expect(usedTokens(await counted({ ...CLAUDE, conversationId: FIRST }, 8_192))).toEqual(whole);
    const home = await copied("claude-2.1.332");
    const record = await counted({ ...CLAUDE, home, conversationId: FIRST });
    const [path = ""] = Object.keys(record.files);
    const text = await readFile(path, "utf8");
    await truncate(path, 0);
    const options = { path, nowMs: 0, taken: () => false };
    const source = claude.usage as UsageSource;
    const emptied = source.count(record, options).record;
    await writeFile(path, text);
    expect(usedTokens(source.count(emptied, options).record)).toEqual(whole);
  });

  test("reads only whole lines, and the last counts of a response", async () => {
    const folder = await copied("gemini-0.61.0");
    const path = join(folder, "chat.jsonl");
    const answer = (output: number) =>
      `${JSON.stringify({ id: "a", type: "gemini", timestamp: "2026-11-28T23:59:59Z", model: "m", tokens: { input: 7, output } })}\n`;
    const options = { path, nowMs: 0, taken: () => false };
    const source = gemini.usage as UsageSource;
    await writeFile(path, answer(1).slice(0, 20));
    const begun = source.count(empty(), options).record;
    expect(usedTokens(begun)).toEqual(NO_TOKENS);
    expect(source.count(begun, options)).toEqual({ record: begun, more: false });
    expect(source.count(begun, options).record).toBe(begun);
    await appendFile(path, answer(1).slice(20));
    const once = source.count(begun, options).record;
    expect(usedTokens(once)).toEqual({ ...NO_TOKENS, input: 7, output: 1 });
    await appendFile(path, answer(5));
    const last = source.count(once, options).record;
    expect(last.days).toEqual([{ day: "2026-11-28", model: "m", requests: 1, tokens: { ...NO_TOKENS, input: 7, output: 5 } }]);
    expect(source.count(last, options).record).toBe(last);
    expect(usedTokens(source.count(empty(), { ...options, taken: () => true }).record)).toEqual(NO_TOKENS);
  });

  test.skipIf(!existsSync(IO))("counts a new line of a 500 MB transcript by reading only that line", async () => {
    const folder = await copied("gemini-0.61.0");
    const path = join(folder, "chat.jsonl");
    await writeFile(path, "");
    await truncate(path, 500_000_000);
    const options = { path, nowMs: 0, taken: () => false };
    const source = counting(gemini.usage);
    let known = { record: empty(), more: true };
    while (known.more) known = source.count(known.record, options);
    expect(known.record.skipped_bytes).toBeGreaterThan(480_000_000);
    for (let line = 1; line <= 3; line++) {
      const added = `\n${JSON.stringify({ id: `a${line}`, type: "gemini", model: "m", tokens: { input: 7, output: line } })}\n`;
      await appendFile(path, added);
      const [looking, before] = [bytesRead() - bytesRead(), bytesRead()];
      known = source.count(known.record, options);
      expect(bytesRead() - before + looking).toBe(added.length);
    }
    expect(usedTokens(known.record)).toEqual({ ...NO_TOKENS, input: 21, output: 6 });
  });

  test("reads only the new lines of a long file, and reports bytes skipped at first", async () => {
    const folder = await copied("gemini-0.61.0");
    const path = join(folder, "long");
    await writeFile(path, `${"x".repeat(9_999)}\n`.repeat(100));
    const first = grownLines(path, null, { first: 25_000 });
    expect(first).toMatchObject({ skipped: 975_000, more: false });
    expect(first?.lines).toHaveLength(2);
    await appendFile(path, "new\n");
    const next = grownLines(path, first?.place ?? null, { chunk: 4 });
    expect(next).toMatchObject({ lines: ["new"], skipped: 0, place: { offset: 1_000_004 } });
    expect(grownLines(path, next?.place ?? null)).toBeNull();
    await appendFile(path, `${"y".repeat(50)}\nshort\n`);
    const torn = grownLines(path, next?.place ?? null, { chunk: 20 });
    expect(torn).toMatchObject({ lines: [], more: true, place: { torn: true } });
    const rest = grownLines(path, torn?.place ?? null, { chunk: 60 });
    expect(rest).toMatchObject({ lines: ["short"], more: false, place: { torn: false } });
  });
});

test.each([
  ["claude-opus-4-20250514", 200_000],
  ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000],
  ["claude-haiku-4-5@20251001", 200_000],
  ["claude-3-7-sonnet-20250219", 200_000],
  ["claude-sonnet-4-6[1m]", 1_000_000],
  ["claude-opus-4-8", 1_000_000],
  ["claude-sonnet-5-5", 1_000_000],
  ["claude-opus-5", 1_000_000],
  ["mock-model", null],
  [null, null],
] as const)("Claude's model %s has a context window of %s tokens", (model, tokens) => {
  expect(claudeContextLimit(model)).toBe(tokens);
});
