import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LaunchRequest } from "../src/adapter.js";
import { claude } from "../src/index.js";
import { type Folder, openFolder } from "./executable.js";

const ID = "11111111-1111-4111-8111-111111111111";

describe("detecting Claude Code", () => {
  test("the adapter reports its path and version", async () => {
    using folder = openFolder();
    const path = folder.script("claude", "echo '2.1.197 (Claude Code)'");
    expect(await claude.detect({ PATH: `${folder.path}:/bin` })).toEqual({ installed: true, path, version: "2.1.197" });
  });

  test("reports how to install it when it is missing", async () => {
    using folder = openFolder();
    expect(await claude.detect({ PATH: folder.path })).toMatchObject({ installed: false, hint: expect.stringContaining("npm install") });
    await expect(claude.launch(request(folder))).rejects.toMatchObject({ code: "AGENT_NOT_INSTALLED" });
  });
});

describe("launching Claude Code", () => {
  test("begins a conversation with our id and passes the first prompt, also with a leading dash", async () => {
    using folder = openFolder();
    const path = folder.script("claude", "exit 0");
    const plan = await claude.launch(request(folder, { prompt: "--help\nme", config: { model: "opus", permissions: "plan" } }));
    expect(plan).toEqual({
      argv: [path, "--session-id", "new-id", "--model", "opus", "--permission-mode", "plan", "--", "--help\nme"],
      env: {},
      conversationId: "new-id",
      carriesPrompt: true,
    });
  });

  test("passes no prompt over 8192 bytes of UTF-8", async () => {
    using folder = openFolder();
    folder.script("claude", "exit 0");
    const fits = await claude.launch(request(folder, { prompt: "é".repeat(4096) }));
    expect(fits.carriesPrompt).toBe(true);
    const tooLong = await claude.launch(request(folder, { prompt: `${"é".repeat(4096)}x` }));
    expect(tooLong).toMatchObject({ carriesPrompt: false, argv: [expect.anything(), "--session-id", "new-id"] });
  });

  test("passes a byte order mark, but no blank prompt", async () => {
    using folder = openFolder();
    folder.script("claude", "exit 0");
    expect(await claude.launch(request(folder, { prompt: "\uFEFF" }))).toMatchObject({ carriesPrompt: true });
    expect(await claude.launch(request(folder, { prompt: " \n" }))).toMatchObject({ carriesPrompt: false });
  });

  test("resumes a conversation that Claude has kept", async () => {
    using folder = openFolder();
    folder.script("claude", "exit 0");
    keepConversation(join(folder.path, ".claude"));
    const plan = await claude.launch(request(folder, { conversationId: ID, prompt: "go on" }));
    expect(plan.argv.slice(1)).toEqual(["--resume", ID, "--", "go on"]);
    expect(plan.conversationId).toBe(ID);
  });

  test("finds it in the user's configuration folder", async () => {
    using folder = openFolder();
    using config = openFolder();
    folder.script("claude", "exit 0");
    keepConversation(config.path);
    const found = request(folder, { conversationId: ID, env: { CLAUDE_CONFIG_DIR: config.path } });
    expect((await claude.launch(found)).argv.slice(1)).toEqual(["--resume", ID]);
  });

  test("restarts an empty conversation under the same id", async () => {
    using folder = openFolder();
    folder.script("claude", "exit 0");
    const plan = await claude.launch(request(folder, { conversationId: ID }));
    expect(plan.argv.slice(1)).toEqual(["--session-id", ID]);
  });
});

function request(folder: Folder, changes: Partial<LaunchRequest> = {}): LaunchRequest {
  return {
    sessionId: "s",
    cwd: folder.path,
    prompt: null,
    conversationId: null,
    config: {},
    newId: () => "new-id",
    ...changes,
    env: { PATH: folder.path, HOME: folder.path, ...changes.env },
  };
}

function keepConversation(config: string): void {
  const project = join(config, "projects", "-home-demo-proj");
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, `${ID}.jsonl`), "{}\n");
}
