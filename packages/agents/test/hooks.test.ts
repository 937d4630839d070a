import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readClaudeHook } from "../src/claude/hooks.js";
import { readHook } from "../src/index.js";

const PAYLOADS = join(import.meta.dirname, "../hook-payloads");

function recorded(version: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(PAYLOADS, `${version}.json`), "utf8"));
}

/** Each recorded event: the state it reports, and its tool or null. */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, readonly [state: string | null, tool: string | null] | "nothing">>>> = {
  "claude-2.1.197": {
    SessionStart: [null, null],
    UserPromptSubmit: ["working", null],
    Stop: ["idle", null],
    MessageDisplay: "nothing",
    PreToolUse: ["working", "Bash"],
    PermissionRequest: ["awaiting_approval", "Bash"],
    PostToolUse: ["working", "Bash"],
    PostToolBatch: "nothing",
    StopFailure: ["errored", null],
    PostToolUseFailure: ["working", "Bash"],
    "PreToolUse:AskUserQuestion": ["awaiting_input", "AskUserQuestion"],
    "PermissionRequest:AskUserQuestion": ["awaiting_input", "AskUserQuestion"],
    "PostToolUse:AskUserQuestion": ["working", "AskUserQuestion"],
    "PreToolUse:Agent": ["working", "Agent"],
    SubagentStart: ["working", null],
    SubagentStop: ["working", null],
    "PostToolUse:Agent": ["working", "Agent"],
    "PreToolUse:Write": ["working", "Write"],
    "PermissionRequest:Write": ["awaiting_approval", "Write"],
    "PostToolUse:Write": ["working", "Write"],
    "Notification:idle_prompt": [null, null],
    SessionEnd: [null, null],
  },
  "codex-0.171.0": {
    SessionStart: [null, null],
    UserPromptSubmit: ["working", null],
    "notify:agent-turn-complete": "nothing",
    Stop: ["idle", null],
    PreToolUse: ["working", "Bash"],
    PermissionRequest: ["awaiting_approval", "Bash"],
    PostToolUse: ["working", "Bash"],
    Interrupt: ["idle", null],
    SessionEnd: [null, null],
  },
  "gemini-0.61.0": {
    SessionStart: [null, null],
    BeforeAgent: ["working", null],
    PreCompress: "nothing",
    BeforeModel: "nothing",
    BeforeToolSelection: "nothing",
    AfterModel: "nothing",
    AfterAgent: ["idle", null],
    BeforeTool: ["working", "run_shell_command"],
    "Notification:ToolPermission": ["awaiting_approval", "exec"],
    AfterTool: ["working", "run_shell_command"],
    SessionEnd: [null, null],
  },
  "opencode-1.18.33": {
    "event:session.created": [null, null],
    "chat.message": ["working", null],
    "event:message.updated": "nothing",
    "event:session.updated": [null, null],
    "event:session.status": ["working", null],
    "event:session.diff": "nothing",
    "event:session.idle": ["idle", null],
    "tool.execute.before": ["working", "bash"],
    "event:permission.asked": ["awaiting_approval", "bash"],
    "event:permission.replied": ["working", null],
    "tool.execute.after": ["working", "bash"],
    "event:session.error": ["idle", null],
    "event:tui.prompt.append": "nothing",
    "event:tui.command.execute": "nothing",
  },
};

describe.each(Object.keys(EXPECTED))("recorded events of %s", (version) => {
  const agent = version.split("-", 1)[0] ?? "";
  const payloads = recorded(version);

  test("are all covered", () => {
    expect(Object.keys(payloads).toSorted()).toEqual(Object.keys(EXPECTED[version] ?? {}).toSorted());
  });

  test.each(Object.entries(EXPECTED[version] ?? {}))("%s", (name, expected) => {
    const reading = readHook(agent, payloads[name]);
    if (expected === "nothing") return expect(reading).toBeNull();
    expect([reading?.state, reading?.tool]).toEqual(expected);
    expect(reading?.evidence).not.toBe("");
  });

  test("report their conversation, which only its start and its prompts set", () => {
    const readings = Object.values(payloads).flatMap((payload) => readHook(agent, payload) ?? []);
    expect(new Set(readings.map(({ conversationId }) => conversationId)).size).toBe(1);
    expect(readings.filter(({ binds }) => binds).every(({ event }) => /Start|Prompt|BeforeAgent|created/.test(event))).toBe(true);
  });

  test("are read without failing when any part is missing or of another type", () => {
    for (const payload of Object.values(payloads)) for (const spoilt of spoil(payload)) expect(() => readHook(agent, spoilt)).not.toThrow();
    for (const junk of [null, 1, "x", [], {}, { hook_event_name: 3 }, { type: {} }]) expect(readHook(agent, junk)).toBeNull();
  });
});

describe("approval in a hook", () => {
  test("Claude: has the exact command, the file, the question with its answers", () => {
    const payloads = recorded("claude-2.1.197");
    expect(readHook("claude", payloads.PermissionRequest)?.decision).toMatchObject({ kind: "approval", subject: "touch hook-a.txt" });
    expect(readHook("claude", payloads["PermissionRequest:Write"])?.decision).toMatchObject({ subject: "/home/me/demo/claude/proj/w.txt" });
    expect(readHook("claude", payloads["PermissionRequest:AskUserQuestion"])?.decision).toMatchObject({
      kind: "question",
      subject: "Which colour?",
      choices: [
        { label: "Red", keys: null },
        { label: "Blue", keys: null },
      ],
    });
  });

  test("Codex, Gemini and OpenCode: has the exact command", () => {
    for (const [agent, version, event] of [
      ["codex", "codex-0.171.0", "PermissionRequest"],
      ["gemini", "gemini-0.61.0", "Notification:ToolPermission"],
      ["opencode", "opencode-1.18.33", "event:permission.asked"],
    ] as const) {
      expect(readHook(agent, recorded(version)[event])?.decision?.subject).toBe("touch hook-a.txt");
    }
  });
});

describe("sub-agents", () => {
  test("Claude's are counted by id", () => {
    const payloads = recorded("claude-2.1.197");
    expect(readHook("claude", payloads.SubagentStart)?.subagent).toEqual({ change: "started", id: "a3f024c084f25df0d" });
    expect(readHook("claude", payloads.SubagentStop)?.subagent).toEqual({ change: "ended", id: "a3f024c084f25df0d" });
  });

  test("OpenCode's are conversations with a parent", () => {
    const created = { type: "session.created", properties: { sessionID: "child", info: { id: "child", parentID: "parent" } } };
    expect(readHook("opencode", created)).toMatchObject({ conversationId: "parent", binds: false, subagent: { id: "child" } });
  });
});

describe("hook installation", () => {
  const command = ["/bin/sh", "/home/o'neil/state dir/report"] as const;
  const request = { command, folder: "/private/s1", env: {} };
  const line = "/bin/sh '/home/o'\\''neil/state dir/report'";

  test("Claude: a settings file of its own, with the command as one shell line", async () => {
    const { claudeHooks } = await import("../src/claude/hooks.js");
    const plan = await claudeHooks.plan(request);
    expect(plan?.argv).toEqual(["--settings", "/private/s1/claude-settings.json"]);
    const settings = JSON.parse(plan?.files[0]?.text ?? "");
    expect(settings.hooks.PermissionRequest).toEqual([{ hooks: [{ type: "command", command: line, timeout: 5 }] }]);
    expect(settings.hooks.PreToolUse[0].matcher).toBe("AskUserQuestion|ExitPlanMode");
  });

  test("Codex: arguments that add hooks and trust only these", async () => {
    const { codexHooks } = await import("../src/codex/hooks.js");
    const plan = await codexHooks.plan({ ...request, command: ["/bin/sh", "/tmp/x/report"] });
    expect(plan?.argv).toContain('hooks.Stop=[{hooks=[{type="command",command="/bin/sh /tmp/x/report",timeout=3}]}]');
    // The digest that Codex 0.171.0 reported for this hook.
    expect(plan?.argv.at(-1)).toContain(
      '"/<session-flags>/config.toml:interrupt:0:0"={trusted_hash="sha256:6088fb07e5f42b277c1566cd2dabeebd53b2e253830ced381a0dad163d43821f"}',
    );
  });

  test("Gemini: none, since every file with hooks belongs to the user or the project", async () => {
    const { geminiHooks } = await import("../src/gemini/hooks.js");
    expect(await geminiHooks.plan(request)).toBeNull();
  });

  test("OpenCode: a plugin beside those of the user's environment; none when that is unreadable", async () => {
    const { opencodeHooks } = await import("../src/opencode/hooks.js");
    const mine = { OPENCODE_CONFIG_CONTENT: '{"model":"m","plugin":["mine"]}' };
    const plan = await opencodeHooks.plan({ ...request, env: mine });
    const config = JSON.parse(plan?.env.OPENCODE_CONFIG_CONTENT ?? "");
    expect(config).toEqual({ model: "m", plugin: ["mine", "file:///private/s1/opencode-plugin.js"] });
    expect(await opencodeHooks.plan({ ...request, env: { OPENCODE_CONFIG_CONTENT: "{ // comment" } })).toBeNull();
  });

  test("OpenCode's plugin passes on events one after another, in order, without waiting", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tmpm-plugin-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
    const { opencodePlugin } = await import("../src/opencode/plugin.js");
    // The first event waits longest: order must not depend on it.
    const script = join(folder, "report");
    writeFileSync(
      script,
      `payload=$(cat)\ncase $payload in *busy*) until [ -e ${folder}/go ]; do sleep 0.02; done ;; esac\nprintf '%s\\n' "$payload" >> ${folder}/seen\n`,
    );
    writeFileSync(join(folder, "plugin.mjs"), opencodePlugin({ command: ["/bin/sh", script], folder }));
    const { Tmpm } = await import(pathToFileURL(join(folder, "plugin.mjs")).href);
    const plugin = await Tmpm();
    await plugin.event({ event: { type: "session.status", properties: { sessionID: "s", status: { type: "busy" } } } });
    await plugin.event({ event: { type: "message.part.updated", properties: {} } });
    await plugin["tool.execute.before"]({ tool: "bash", sessionID: "s" });
    await plugin.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
    expect(existsSync(join(folder, "seen"))).toBe(false);
    writeFileSync(join(folder, "go"), "");
    const lines = await vi.waitFor(
      () => {
        const seen = readFileSync(join(folder, "seen"), "utf8").trim().split("\n");
        expect(seen).toHaveLength(3);
        return seen;
      },
      { timeout: 30_000, interval: 10 },
    );
    expect(lines.map((line) => readHook("opencode", JSON.parse(line))?.state)).toEqual(["working", "working", "idle"]);
  });

  test("OpenCode's plugin reports the next event after a failed spawn", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tmpm-plugin-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
    const { opencodePlugin } = await import("../src/opencode/plugin.js");
    writeFileSync(join(folder, "plugin.mjs"), opencodePlugin({ command: ["/bin/sh", "x".repeat(200_000)], folder }));
    vi.stubEnv("TMPM_SESSION_ID", "s1").stubEnv("TMPM_SESSION_TOKEN", "secret").stubEnv("TMPM_SOCKET", join(folder, "daemon.sock"));
    onTestFinished(() => void vi.unstubAllEnvs());
    const { Tmpm } = await import(pathToFileURL(join(folder, "plugin.mjs")).href);
    const plugin = await Tmpm();
    await plugin["tool.execute.before"]({ tool: "early", sessionID: "s" });
    await new Promise(setImmediate);
    const server = createServer((_, answer) => answer.end("{}"));
    const reported = new Promise((resolve) => server.once("request", resolve));
    await new Promise<void>((resolve) => server.listen(join(folder, "daemon.sock"), resolve));
    onTestFinished(() => void server.close());
    await plugin.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
    await reported;
  });

  test("OpenCode's plugin posts events to the daemon with its session's token, and runs the program only when the daemon does not answer", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tmpm-plugin-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
    const script = join(folder, "report");
    writeFileSync(script, `cat >> ${folder}/seen\n`);
    const { opencodePlugin } = await import("../src/opencode/plugin.js");
    writeFileSync(join(folder, "plugin.mjs"), opencodePlugin({ command: ["/bin/sh", script], folder }));
    vi.stubEnv("TMPM_SESSION_ID", "s1").stubEnv("TMPM_SESSION_TOKEN", "secret").stubEnv("TMPM_SOCKET", join(folder, "daemon.sock"));
    onTestFinished(() => void vi.unstubAllEnvs());
    const { Tmpm } = await import(pathToFileURL(join(folder, "plugin.mjs")).href);
    const plugin = await Tmpm();
    await plugin["tool.execute.before"]({ tool: "early", sessionID: "s" });
    await vi.waitFor(() => expect(readFileSync(join(folder, "seen"), "utf8")).toContain("early"), { timeout: 30_000, interval: 10 });

    const posts: { readonly url: string | undefined; readonly token: string | undefined; readonly body: string }[] = [];
    const server = createServer((asked, answer) => {
      text(asked).then((body) => {
        posts.push({ url: asked.url, token: asked.headers.authorization, body });
        answer.end("{}");
      });
    });
    await new Promise<void>((resolve) => server.listen(join(folder, "daemon.sock"), resolve));
    onTestFinished(() => void server.close());
    const sentMs = Date.now();
    await plugin.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
    await vi.waitFor(() => expect(posts).toHaveLength(1), { timeout: 30_000, interval: 10 });
    expect(posts[0]).toMatchObject({ url: "/v1/sessions/s1/hook", token: "Bearer secret" });
    const { payload, at_ms } = JSON.parse(posts[0]?.body ?? "");
    expect(readHook("opencode", payload)?.state).toBe("idle");
    expect(at_ms).toBeGreaterThanOrEqual(sentMs);
    expect(at_ms).toBeLessThanOrEqual(Date.now());
    expect(readFileSync(join(folder, "seen"), "utf8")).not.toContain("idle");
  });
});

/** The payload with each part in turn omitted or replaced. */
function* spoil(payload: unknown): Generator<unknown> {
  if (typeof payload !== "object" || payload === null) return;
  for (const [key, value] of Object.entries(payload)) {
    const rest = Object.fromEntries(Object.entries(payload).filter(([other]) => other !== key));
    yield rest;
    yield { ...rest, [key]: 7 };
    yield { ...rest, [key]: [null] };
    for (const inner of spoil(value)) yield { ...rest, [key]: inner };
  }
}

test("Claude Code's hook reports a limit that ends a turn; another failure is not a limit", () => {
  const payload = (last_assistant_message: string) => ({ session_id: "c", hook_event_name: "StopFailure", last_assistant_message });
  const limited = readClaudeHook(payload("API Error: Request rejected (429) · This request would exceed your account's rate limit."));
  expect(limited).toMatchObject({ state: "errored", limit: { resetsAtMs: null, message: expect.stringContaining("rate limit") } });
  expect(readClaudeHook(payload("API Error: 400 mock"))).toMatchObject({ state: "errored", limit: null });
});
