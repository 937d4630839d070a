import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentAdapter, LaunchPlan, LaunchRequest } from "../src/adapter.js";
import { codex, gemini, opencode } from "../src/index.js";
import { type Folder, openFolder } from "./executable.js";

const PROMPT = '--help\n"me"';
const HOOKS = { files: [], argv: ["--hooked"], env: { HOOKED: "1" } };

describe("launching Codex", () => {
  test("begins a conversation whose id Codex chooses, with the first prompt in argv", async () => {
    expect(await launched(codex, { prompt: PROMPT, config: { model: "m" }, hooks: HOOKS })).toEqual({
      argv: ["--model", "m", "--hooked", "--", PROMPT],
      env: { HOOKED: "1" },
      conversationId: null,
      carriesPrompt: true,
    });
    expect((await launched(codex, {})).argv).toEqual([]);
  });

  test("resumes by id, never the latest conversation", async () => {
    const { argv, conversationId } = await launched(codex, { conversationId: "old-id", prompt: PROMPT, hooks: HOOKS });
    expect(argv).toEqual(["resume", "--hooked", "--", "old-id", PROMPT]);
    expect(conversationId).toBe("old-id");
  });
});

describe("launching Gemini CLI", () => {
  test("begins a conversation with our id", async () => {
    expect(await launched(gemini, { prompt: PROMPT, config: { model: "m" }, hooks: HOOKS, trusted: true })).toEqual({
      argv: ["--session-id", "new-id", "--model", "m", "--hooked", `--prompt-interactive=${PROMPT}`],
      env: { HOOKED: "1" },
      conversationId: "new-id",
      carriesPrompt: true,
    });
  });

  test("leaves the id to Gemini when it asks for folder trust, since it then restarts with the same arguments", async () => {
    expect(await launched(gemini, { prompt: PROMPT })).toMatchObject({ argv: [`--prompt-interactive=${PROMPT}`], conversationId: null });
  });

  test.each([
    ["trustedFolders.json", (cwd: string) => ({ [cwd]: "TRUST_FOLDER" }), true],
    ["trustedFolders.json", (cwd: string) => ({ [dirname(cwd)]: "TRUST_FOLDER" }), true],
    ["trustedFolders.json", (cwd: string) => ({ [join(dirname(cwd), "other")]: "TRUST_PARENT" }), true],
    ["trustedFolders.json", (cwd: string) => ({ [cwd]: "DO_NOT_TRUST" }), true],
    ["trustedFolders.json", (cwd: string) => ({ [`${cwd}-other`]: "TRUST_FOLDER" }), false],
    ["settings.json", () => ({ security: { folderTrust: { enabled: false } } }), true],
    ["settings.json", () => ({ security: {} }), false],
  ])("sets the id when %s answers the trust question: %#", async (file, document, chooses) => {
    using folder = openFolder();
    folder.script("gemini", "exit 0");
    const cwd = join(folder.path, "proj");
    mkdirSync(join(folder.path, ".gemini"));
    writeFileSync(join(folder.path, ".gemini", file), JSON.stringify(document(cwd)));
    const { conversationId } = await gemini.launch(request({ env: { PATH: folder.path, HOME: folder.path }, cwd }));
    expect(conversationId).toBe(chooses ? "new-id" : null);
  });
});

test.each([
  [codex, "workspace-write", ["--sandbox", "workspace-write"]],
  [gemini, "auto_edit", ["--approval-mode", "auto_edit"]],
])("launching %o passes its permissions", async (adapter, permissions, options) => {
  expect((await launched(adapter, { config: { permissions }, hooks: HOOKS })).argv.slice(-3)).toEqual([...options, "--hooked"]);
});

describe("Gemini CLI conversation", () => {
  const ID = "24fea6d7-7041-43ba-a48d-bef9cccd00cd";
  const CONTEXT = { $set: { messages: [{ type: "user", content: [{ text: "<session_context>" }] }] } };

  test("is resumed when it has messages", async () => {
    using folder = kept([CONTEXT, { type: "user", content: [{ text: "hello" }] }]);
    expect(await flags(folder)).toEqual(["--resume", ID, undefined]);
  });

  test("is resumed although a resume began another, empty record", async () => {
    using folder = kept([CONTEXT, { type: "user", content: [{ text: "hello" }] }]);
    const later = join(folder.path, ".gemini/tmp/proj/chats/session-2026-11-28T03-09-24fea6d7.jsonl");
    writeFileSync(later, `${JSON.stringify({ sessionId: ID, kind: "main" })}\n`);
    expect(await flags(folder)).toEqual(["--resume", ID, undefined]);
  });

  test("begins under its id when it has no record, or under a new id when its record is empty", async () => {
    using none = openFolder();
    none.script("gemini", "exit 0");
    expect(await flags(none)).toEqual(["--session-id", ID, expect.stringContaining("has no record")]);
    using silent = kept([CONTEXT]);
    expect(await flags(silent)).toEqual(["--session-id", "new-id", expect.stringContaining("it is empty")]);
  });

  async function flags({ path }: Folder): Promise<readonly unknown[]> {
    const plan = await gemini.launch(request({ env: { PATH: path, HOME: path }, conversationId: ID, trusted: true }));
    expect(plan.conversationId).toBe(plan.argv[2]);
    return [...plan.argv.slice(1, 3), plan.anew];
  }

  function kept(entries: readonly object[]): Folder {
    const folder = openFolder();
    folder.script("gemini", "exit 0");
    const chats = join(folder.path, ".gemini/tmp/proj/chats");
    mkdirSync(chats, { recursive: true });
    const lines = [{ sessionId: ID, kind: "main" }, ...entries].map((entry) => `${JSON.stringify(entry)}\n`);
    writeFileSync(join(chats, "session-2026-11-28T03-03-24fea6d7.jsonl"), lines.join(""));
    return folder;
  }
});

describe("launching OpenCode", () => {
  test("begins a conversation whose id OpenCode chooses", async () => {
    expect(await launched(opencode, { prompt: PROMPT, config: { model: "p/m" }, hooks: HOOKS })).toEqual({
      argv: ["--model", "p/m", "--hooked", `--prompt=${PROMPT}`],
      env: { HOOKED: "1" },
      conversationId: null,
      carriesPrompt: true,
    });
  });

  test("resumes by id and leaves the prompt to be typed, since OpenCode would skip it", async () => {
    const plan = await launched(opencode, { conversationId: "ses_1", prompt: "go on" });
    expect(plan).toMatchObject({ argv: ["--session", "ses_1"], carriesPrompt: false });
  });
});

describe.each([codex, gemini, opencode].map((adapter) => [adapter.title, adapter] as const))("%s", (_, adapter) => {
  test("passes no prompt that is blank or over 8192 bytes", async () => {
    for (const prompt of [" \n", `${"é".repeat(4096)}x`]) {
      const plan = await launched(adapter, { prompt });
      expect(plan.carriesPrompt).toBe(false);
      expect(plan.argv.join(" ")).not.toContain(prompt);
    }
    expect((await launched(adapter, { prompt: "é".repeat(4096) })).carriesPrompt).toBe(true);
  });

  test("reports how to install it when it is missing", async () => {
    const hint = expect.stringContaining("npm install -g");
    expect(await adapter.detect({ PATH: "/nonexistent" })).toEqual({ installed: false, hint });
    await expect(adapter.launch(request({ env: { PATH: "/nonexistent" } }))).rejects.toMatchObject({ code: "AGENT_NOT_INSTALLED", hint });
  });

  test("reports its version", async () => {
    using folder = openFolder();
    const path = folder.script(adapter.id, "echo 'cli 1.2.3'");
    expect(await adapter.detect({ PATH: `${folder.path}:/bin` })).toEqual({ installed: true, path, version: "1.2.3" });
  });
});

/** The plan without the program's path. */
async function launched(adapter: AgentAdapter, changes: Partial<LaunchRequest>): Promise<Omit<LaunchPlan, "argv"> & { argv: string[] }> {
  using folder = openFolder();
  const path = folder.script(adapter.id, "exit 0");
  const plan = await adapter.launch(request({ env: { PATH: folder.path, HOME: folder.path }, cwd: folder.path, ...changes }));
  expect(plan.argv[0]).toBe(path);
  return { ...plan, argv: plan.argv.slice(1) };
}

function request(changes: Partial<LaunchRequest>): LaunchRequest {
  return { sessionId: "s", cwd: "/", prompt: null, conversationId: null, config: {}, env: {}, newId: () => "new-id", ...changes };
}
