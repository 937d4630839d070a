import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Observation } from "../src/adapter.js";
import { type AgentAdapter, agentFromConfig, claude, codex, gemini, type LaunchRequest, opencode } from "../src/index.js";
import { recordedScreens } from "./recorded-screens.js";

let bin: string;

beforeAll(async () => {
  bin = await mkdtemp(join(tmpdir(), "tmpm-overrides-"));
  for (const name of ["claude", "codex", "gemini", "opencode", "pair"]) {
    await writeFile(join(bin, name), "#!/bin/sh\n");
    await chmod(join(bin, name), 0o755);
  }
});

afterAll(() => rm(bin, { recursive: true }));

function plan(adapter: AgentAdapter, config: LaunchRequest["config"], more: Partial<LaunchRequest> = {}) {
  const request = { sessionId: "s", cwd: "/w", prompt: null, conversationId: null, env: { PATH: bin }, newId: () => "id", ...more };
  return adapter.launch({ ...request, config });
}

const pair = agentFromConfig({ id: "pair", argv: ["pair"], model_flag: "--model=", temperature_flag: "--heat", mention: "<{path}>" });

describe("launch with overrides", () => {
  test.each([
    { adapter: claude, config: { model: "opus", reasoning_effort: "low" }, has: ["--model", "opus", "--effort", "low"] },
    {
      adapter: codex,
      config: { model: "o9", model_provider: "ollama", reasoning_effort: "high" },
      has: ["--model", "o9", "-c", 'model_provider="ollama"', "-c", 'model_reasoning_effort="high"'],
    },
    { adapter: gemini, config: { model: "flash" }, has: ["--model", "flash"] },
    { adapter: opencode, config: { model: "gpt", model_provider: "openai" }, has: ["--model", "openai/gpt"] },
    { adapter: opencode, config: { model: "openai/gpt", model_provider: "openai" }, has: ["--model", "openai/gpt"] },
    { adapter: pair, config: { model: "m", temperature: 0.5, model_provider: "unheard" }, has: ["--model=m", "--heat", "0.5"] },
  ])("of $adapter.id passes them as its own options ($has)", async ({ adapter, config, has }) => {
    const { argv } = await plan(adapter, config);
    expect(argv.join("\0")).toContain(has.join("\0"));
    expect(argv.join("\0")).not.toContain("unheard");
  });

  test("of opencode adds temperature and effort to the existing configuration", async () => {
    const there = { plugin: ["p"], agent: { build: { prompt: "x" } } };
    const { env } = await plan(
      opencode,
      { temperature: 0.4, reasoning_effort: "high" },
      { env: { PATH: bin, OPENCODE_CONFIG_CONTENT: JSON.stringify(there) } },
    );
    expect(JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? "")).toEqual({
      plugin: ["p"],
      agent: { build: { prompt: "x", temperature: 0.4, reasoningEffort: "high" }, plan: { temperature: 0.4, reasoningEffort: "high" } },
    });
    expect((await plan(opencode, {})).env).toEqual({});
    await expect(plan(opencode, { temperature: 1 }, { env: { PATH: bin, OPENCODE_CONFIG_CONTENT: "[" } })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});

test("opencode accepts a provider only with one of its models", () => {
  const { problem } = opencode.overrides ?? {};
  expect(problem?.({ model_provider: "openai" })).toMatch(/together with a model/);
  expect(problem?.({ model_provider: "openai", model: "ollama/x" })).toMatch(/not a model of openai/);
  expect(problem?.({ model_provider: "openai", model: "gpt" })).toBeNull();
});

test.each([
  [claude, "/w/a.png", "@/w/a.png"],
  [claude, "/my work/a.png", '@"/my work/a.png"'],
  [gemini, "/my work/(a).png", "@/my\\ work/\\(a\\).png"],
  [pair, "/w/$&.png", "</w/$&.png>"],
])("%o mentions %s as %s", (adapter, path, said) => {
  expect(adapter.mention?.(path)).toBe(said);
});

function screen(rows: string, cursorRow: number): Observation {
  const lines = rows.split("\n");
  const cursor = { column: 2, row: cursorRow, visible: false };
  return { lines, columns: 40, cursor, historySize: 0, title: "✳ x", foreground: true, command: "claude", dead: false };
}

const RULE = "─".repeat(40);
const above = (block: string) => {
  const rows = `❯ before\n\n● answer\n\n${block}\n\n${RULE}\n❯ \n${RULE}\n  ? for shortcuts`;
  return screen(rows, rows.split("\n").length - 3);
};

describe("live change", () => {
  const model = claude.overrides?.live?.({ field: "model", value: "opus", env: { HOME: "/home/u" } });
  const effort = claude.overrides?.live?.({ field: "reasoning_effort", value: null, env: { CLAUDE_CONFIG_DIR: "/conf" } });

  test("is a command of Claude, which also saves it in the user's settings", () => {
    expect([model?.command, model?.spill?.path]).toEqual(["/model opus", "/home/u/.claude/settings.json"]);
    expect([effort?.command, effort?.spill?.path]).toEqual(["/effort auto", "/conf/settings.json"]);
    expect(claude.overrides?.live?.({ field: "temperature", value: 1, env: {} })).toBeNull();
  });

  test("is confirmed only by the answer below the command", () => {
    expect(model?.outcome(above("❯ /model opus\n  ⎿  Set model to Opus 4.8 and saved as your default for new\n     sessions"))).toEqual({
      kind: "applied",
      evidence: "Set model to Opus 4.8 and saved as your default for new sessions",
    });
    expect(effort?.outcome(above("❯ /effort auto\n  ⎿  Effort level set to auto"))).toMatchObject({ kind: "applied" });
    expect(model?.outcome(above("❯ /model opus\n  ⎿  Model 'opus' not found"))).toEqual({
      kind: "refused",
      message: "Model 'opus' not found",
    });
    expect(model?.outcome(above("❯ /model opus"))).toBeNull();
    expect(model?.outcome(above("❯ /model opus2\n  ⎿  Set model to Opus 2"))).toBeNull();
    expect(model?.outcome(above("● ❯ /model opus\n  ⎿  Set model to Opus"))).toBeNull();
  });

  test("is accepted when Claude asks whether to re-read a cached conversation", () => {
    const rows = `❯ /model opus\n${RULE}\n  Switch model?\n  Your next response will be slower\n\n  ❯ 1. Yes, switch to opus\n    2. No, go back`;
    expect(model?.outcome(screen(rows, 5))).toEqual({ kind: "asks", keys: ["Enter"] });
    expect(model?.outcome(screen(rows.replace("Switch model?", "Change effort level?"), 5))).toEqual({ kind: "asks", keys: ["Enter"] });
    expect(model?.outcome(screen(rows.replace("Switch model?", "Run it?"), 5))).toBeNull();
  });

  test("is accepted in the dialog of version 2.1.332", () => {
    const shown = recordedScreens("claude-2.1.332").find(({ name }) => name === "switch-model") ?? expect.unreachable();
    expect(model?.outcome(shown.observation)).toEqual({ kind: "asks", keys: ["Enter"] });
  });

  test("restores the user's settings and keeps other changes to them", () => {
    const undone = (before: string | null, now: string | null) => model?.spill?.undone(before, now);
    expect(undone('{"model":"mine","a":1}', '{"model":"opus","a":2}')).toBe('{\n  "a": 2,\n  "model": "mine"\n}\n');
    expect(undone('{"effortLevel":"low"}', '{"model":"opus","effortLevel":"high"}')).toBe('{\n  "effortLevel": "low"\n}\n');
    expect(undone(null, '{"model":"opus"}')).toBe("{}\n");
    expect(undone('{"model":"opus"}', '{"model":"opus","a":1}')).toBeNull();
    expect(undone("{", '{"model":"opus"}')).toBeNull();
    expect(undone('{"model":"mine"}', "{")).toBeNull();
  });

  test("of Gemini is confirmed by the line below the command", () => {
    const plan = gemini.overrides?.live?.({ field: "model", value: "flash", env: {} });
    const box = (said: string) => screen(`▄▄▄▄\n > /model set flash\n▀▀▀▀\n\n${said}\n▄▄▄▄\n >   Type your message\n▀▀▀▀`, 6);
    expect(plan?.outcome(box("ℹ Model set to flash"))).toEqual({ kind: "applied", evidence: "Model set to flash" });
    expect(plan?.outcome(box("✕ No such model"))).toEqual({ kind: "refused", message: "No such model" });
    expect(plan?.outcome(box(""))).toBeNull();
    expect(gemini.overrides?.live?.({ field: "model", value: null, env: {} })).toBeNull();
  });
});
