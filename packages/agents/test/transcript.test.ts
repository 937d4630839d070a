import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claudeTranscript } from "../src/claude/transcript.js";
import { codexTranscript } from "../src/codex/transcript.js";
import { lineReader } from "../src/files/line-reader.js";
import type { OpenTranscript } from "../src/files/transcript.js";
import { geminiTranscript } from "../src/gemini/transcript.js";

const ID = "364ce325-a724-41b9-b60a-2940e8afa8b2";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "tmpm-transcript-"));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

interface Agent {
  readonly agent: string;
  readonly open: OpenTranscript;
  readonly path: string;
  readonly model: string;
  readonly tokens: number;
  readonly contextLimit: number;
  readonly prompt: string;
}

const AGENTS: readonly Agent[] = [
  {
    agent: "claude-2.1.197",
    open: claudeTranscript,
    path: `.claude/projects/-home-me-proj/${ID}.jsonl`,
    model: "claude-opus-4-8",
    tokens: 1532,
    contextLimit: 1_000_000,
    prompt: "RUN:echo hi",
  },
  {
    agent: "codex-0.171.0",
    open: codexTranscript,
    path: `.codex/sessions/2026/11/28/rollout-2026-11-28T02-19-31-${ID}.jsonl`,
    model: "mock-model",
    tokens: 4909,
    contextLimit: 258_400,
    prompt: "RUNQ:echo hi",
  },
  {
    agent: "gemini-0.61.0",
    open: geminiTranscript,
    path: ".gemini/tmp/proj/chats/session-2026-11-28T02-19-364ce325.jsonl",
    model: "gemini-3.8-flash",
    tokens: 7996,
    contextLimit: 0,
    prompt: "RUNQ:echo hi",
  },
];

describe.each(AGENTS)("recorded transcript of $agent", ({ agent, open, path, prompt, ...counts }) => {
  const reader = () => open({ conversationId: ID, env: { HOME: home } });

  async function recorded(): Promise<string> {
    return readFile(join(import.meta.dirname, "transcripts", `${agent}.jsonl`), "utf8");
  }

  async function write(text: string): Promise<string> {
    const file = join(home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  }

  test("has the last prompt, the last message, the model and the tokens", async () => {
    await write(await recorded());
    expect(await reader().read()).toMatchObject({ prompt, message: "DONE", reply: "DONE", prompts: 1, ...counts });
  });

  test("is null until the agent writes it", async () => {
    const transcript = reader();
    expect(await transcript.read()).toBeNull();
    await write(await recorded());
    expect(await transcript.read()).toMatchObject({ message: "DONE" });
  });

  test("is the same for any growth of the file, even within a line", async () => {
    const text = Buffer.from(await recorded());
    const file = await write("");
    const transcript = reader();
    for (let at = 0; at < text.length; at += 1777) {
      await appendFile(file, text.subarray(at, at + 1777));
      await transcript.read();
    }
    expect(await transcript.read()).toMatchObject({ prompt, message: "DONE", reply: "DONE", prompts: 1, ...counts });
  });

  test("starts over when the file was replaced by a shorter one, and skips invalid JSON", async () => {
    const transcript = reader();
    await write(`${await recorded()}${"x".repeat(5000)}\n{"cut\n`);
    expect(await transcript.read()).toMatchObject({ prompts: 1, message: "DONE" });
    await write(await recorded());
    expect(await transcript.read()).toMatchObject({ prompts: 1, message: "DONE" });
  });

  test("is null for another conversation", async () => {
    await write(await recorded());
    expect(await open({ conversationId: "11111111-a724-41b9-b60a-2940e8afa8b2", env: { HOME: home } }).read()).toBeNull();
  });
});

describe("messages of Claude's sub-agents", () => {
  test("are not its own", async () => {
    const file = join(home, `.claude/projects/p/${ID}.jsonl`);
    await mkdir(dirname(file), { recursive: true });
    const entry = (isSidechain: boolean, text: string) =>
      `${JSON.stringify({ type: "assistant", isSidechain, message: { model: "m", content: [{ type: "text", text }] } })}\n`;
    await writeFile(file, entry(false, "to you") + entry(true, "to the main agent"));
    const transcript = await claudeTranscript({ conversationId: ID, env: { HOME: home } }).read();
    expect(transcript?.message).toBe("to you");
  });
});

describe("lineReader", () => {
  test("returns whole lines from the end of a file over its limit", async () => {
    const file = join(home, "long");
    await writeFile(file, Array.from({ length: 1000 }, (_, index) => `line ${index}\n`).join(""));
    const reader = lineReader({ maxBytes: 100 });
    const first = await reader.read(file);
    expect(first?.lines.at(-1)).toBe("line 999");
    expect(first?.lines.every((line) => /^line \d+$/.test(line))).toBe(true);
    await appendFile(file, "more\n");
    expect(await reader.read(file)).toEqual({ lines: ["more"], restarted: false });
  });

  test("returns null for a missing file", async () => {
    expect(await lineReader().read(join(home, "none"))).toBeNull();
  });
});

describe("exchanges in Gemini's record", () => {
  const user = (text: string, at: string) => ({ type: "user", timestamp: at, content: [{ text }] });
  const lines = [
    user("first", "2026-01-02T03:04:05.000Z"),
    { type: "gemini", content: "one" },
    user("second", "2026-01-02T03:04:06.000Z"),
    { type: "error", content: '[API Error: {"error":{"code":400,"message":"mock 400","status":"INVALID_ARGUMENT"}}]' },
    user("third", "2026-01-02T03:04:07.000Z"),
    { type: "error", content: "the stream broke" },
    { type: "gemini", content: "three" },
  ];

  test("pair each prompt with its reply, or with the error when no reply followed", async () => {
    const file = join(home, ".gemini/tmp/proj/chats/session-2026-11-28T02-19-364ce325.jsonl");
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const transcript = await geminiTranscript({ conversationId: ID, env: { HOME: home } }).read();
    const atMs = Date.UTC(2026, 0, 2, 3, 4, 5);
    expect(transcript?.exchanges).toEqual([
      { prompt: "first", reply: "one", error: null, atMs },
      { prompt: "second", reply: null, error: "mock 400", atMs: atMs + 1_000 },
      { prompt: "third", reply: "three", error: null, atMs: atMs + 2_000 },
    ]);
  });
});
