import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentFromConfig } from "../src/index.js";
import { openFolder } from "./executable.js";
import { screen } from "./screen.js";

const PAIR = { id: "pair", title: "Pair", argv: ["pair"] };

describe("input described by its rows", () => {
  const boxed = { above: "^-+$", first: "^> ?(.*)$", more: "^  (.*)$", below: "^-+$", footer: "^pair " };
  const pair = agentFromConfig({
    ...PAIR,
    input: boxed,
    states: { awaiting_approval: ["^Allow\\?"], working: ["^Thinking"], errored: ["^Error: "] },
  });
  const shown = (above: readonly string[], input: readonly string[]) => screen([...above, "---", ...input, "---", "pair 1.0"]);

  test("is idle at any cursor position, with the draft from all its rows", () => {
    expect(pair.read(shown(["hello"], ["> one", "  two", "    three"]))).toMatchObject({ state: "idle", draft: "one\ntwo\n  three" });
    expect(pair.read(shown(["hello"], [">"]))).toMatchObject({ state: "idle", draft: "" });
  });

  test("is the last one, between its edges and above its footer", () => {
    expect(pair.read(shown(["---", "> an old one", "---"], ["> new"])).draft).toBe("new");
    expect(pair.read(screen(["---", "> no end", "pair 1.0"]))).toMatchObject({ state: "unknown", draft: null });
    expect(pair.read(screen(["---", "> no footer", "---"]))).toMatchObject({ state: "unknown", draft: null });
  });

  test("shows no work, and a dialog above it is history", () => {
    expect(pair.read(shown([], ["> a", "  Thinking"])).state).toBe("idle");
    expect(pair.read(shown(["Allow?"], [">"])).state).toBe("idle");
    expect(pair.read(screen(["Allow?"])).state).toBe("awaiting_approval");
    expect(pair.read(shown(["Thinking"], [">"])).state).toBe("working");
    expect(pair.read(screen(["Thinking", "", "something else"])).state).toBe("unknown");
  });

  test("reports an error only directly above it", () => {
    expect(pair.read(shown(["Error: 400", "more of it", ""], [">"])).state).toBe("errored");
    expect(pair.read(shown(["Error: 400", "", "all is well"], [">"])).state).toBe("idle");
  });
});

describe("suggestion", () => {
  const pair = agentFromConfig({ ...PAIR, input: { first: "^> ?(.*)$", suggestion: ["faint", "grey"] } });
  const PLAIN = { faint: false, italic: false, reverse: false, colour: null };
  const draft = (line: string, styles: readonly object[]) => pair.read({ ...screen([line]), styles: [styles as never] }).draft;

  test("is distinguished from a draft by its style, also behind a cursor that the agent draws", () => {
    expect(draft("> Ask me", [{ ...PLAIN, from: 2, to: 8, faint: true }])).toBe("");
    expect(draft("> Ask me", [{ ...PLAIN, from: 2, to: 8, colour: "8" }])).toBe("");
    const cursor = { ...PLAIN, from: 2, to: 3, reverse: true };
    expect(draft("> Ask me", [cursor, { ...PLAIN, from: 3, to: 8, colour: "#6c7086" }])).toBe("");
  });

  test("is not text that the user typed", () => {
    expect(draft("> Ask me", [])).toBe("Ask me");
    expect(draft("> Ask me", [{ ...PLAIN, from: 2, to: 3, reverse: true }])).toBe("Ask me");
    expect(draft("> Ask me", [{ ...PLAIN, from: 2, to: 8, colour: "#cdd6f4" }])).toBe("Ask me");
    expect(draft("> fix it and push", [{ ...PLAIN, from: 8, to: 17, faint: true }])).toBe("fix it");
  });
});

describe("described transcript", () => {
  const pair = agentFromConfig({
    ...PAIR,
    transcript: {
      path: "~/.pair/chats/*/at-*_{id}.jsonl",
      prompt: [{ when: { type: "message", "message.role": "user" }, text: "message.content[type=text].text" }],
      message: [{ when: { "message.role": "agent" }, text: "message.content[].text" }],
      model: "message.model",
      tokens: "message.usage.total",
    },
  });

  test("is found by its pattern and read as it grows", async () => {
    using home = openFolder();
    const folder = join(home.path, ".pair/chats/a b");
    const path = join(folder, "at-12_c1.jsonl");
    const lines = (...entries: readonly object[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    const open = pair.transcript?.({ conversationId: "c1", env: { HOME: home.path } });
    expect(await open?.read()).toBeNull();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "at-12_c2.jsonl"), lines({ message: { role: "agent", content: [{ text: "another's" }] } }));
    const asked = {
      type: "message",
      message: {
        role: "user",
        content: [
          { type: "image", text: "no" },
          { type: "text", text: "do it" },
        ],
      },
    };
    const said = { message: { role: "agent", content: [{ text: "I" }, { text: "did" }], model: "m-1", usage: { total: 12 } } };
    writeFileSync(path, lines({ type: "begin" }, asked));
    expect(await open?.read()).toMatchObject({ prompt: "do it", reply: null, prompts: 1 });
    writeFileSync(path, lines({ type: "begin" }, asked, said));
    expect(await open?.read()).toMatchObject({ prompt: "do it", reply: "I\ndid", model: "m-1", tokens: 12, prompts: 1 });
  });
});

describe("described hooks", () => {
  const pair = agentFromConfig({
    ...PAIR,
    hooks: {
      files: { "hooks.json": { on: { stop: "{command} --end" } }, "plugin.js": "const command = {command_json}; // {folder} {other}" },
      argv: ["--config", "{folder}/hooks.json"],
      env: { PAIR_PLUGIN: "{folder}/plugin.js" },
      event: "name",
      conversation: "chat.id",
      tool: "tool",
      subject: "input.command",
      events: { began: { state: "working", prompted: true, binds: true }, asks: { state: "awaiting_approval" }, ended: { state: "idle" } },
    },
  });

  test("are planned in the session's folder, with the reporting command in the agent's form", async () => {
    const plan = await pair.hooks?.plan({ command: ["tm pm", "hook"], folder: "/f", env: {} });
    expect(plan).toEqual({
      files: [
        { path: "/f/hooks.json", text: `${JSON.stringify({ on: { stop: "'tm pm' hook --end" } }, null, 2)}\n` },
        { path: "/f/plugin.js", text: 'const command = ["tm pm","hook"]; // /f {other}' },
      ],
      argv: ["--config", "/f/hooks.json"],
      env: { PAIR_PLUGIN: "/f/plugin.js" },
    });
  });

  test("are passed to the program at launch", async () => {
    using folder = openFolder();
    const path = folder.script("pair", "exit 0");
    const hooks = { files: [], argv: ["--config", "/f/hooks.json"], env: { PAIR_PLUGIN: "/f/plugin.js" } };
    const request = { sessionId: "s", cwd: folder.path, prompt: null, conversationId: null, config: {}, env: { PATH: folder.path } };
    const plan = await pair.launch({ ...request, newId: () => "n", hooks });
    expect(plan).toMatchObject({ argv: [path, "--config", "/f/hooks.json"], env: { PAIR_PLUGIN: "/f/plugin.js" } });
  });

  test("report activity, conversation and approval", () => {
    const read = (payload: unknown) => pair.hooks?.read(payload);
    expect(read({ name: "began", chat: { id: "c1" } })).toMatchObject({
      state: "working",
      prompted: true,
      binds: true,
      conversationId: "c1",
    });
    expect(read({ name: "asks", tool: "shell", input: { command: "rm x" } })).toMatchObject({
      state: "awaiting_approval",
      decision: { kind: "approval", tool: "shell", subject: "rm x" },
    });
    expect(read({ name: "ended" })).toMatchObject({ state: "idle", decision: null, conversationId: null });
    expect([read({ name: "toString" }), read({ name: "other" }), read(null), read({ name: 1 })]).toEqual([null, null, null, null]);
  });
});

test.each([
  ["transcript.path", { ...PAIR, transcript: { path: "chats/{id}", prompt: [{ text: "a" }], message: [{ text: "a" }] } }],
  ["transcript.message.0.text", { ...PAIR, transcript: { path: "~/{id}", prompt: [{ text: "a" }], message: [{ text: "a..b" }] } }],
  ["hooks.files", { ...PAIR, hooks: { event: "e", events: {}, files: { "../x": "" } } }],
  ["input", { ...PAIR, input: { first: "(" } }],
])("a description is rejected with the name of the wrong field: %s", (field, document) => {
  expect(() => agentFromConfig(document)).toThrow(expect.objectContaining({ message: expect.stringContaining(field) }));
});
