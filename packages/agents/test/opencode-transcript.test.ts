import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { opencodePlugin } from "../src/opencode/plugin.js";
import { opencodeTranscript } from "../src/opencode/transcript.js";

type Call = Readonly<Record<string, unknown>>;

interface Plugin {
  event(input: Call): Promise<void>;
  "chat.message"(...input: readonly unknown[]): Promise<void>;
  "chat.params"(...input: readonly unknown[]): Promise<void>;
}

/** The calls of OpenCode 1.18.33 to a plugin, for a prompt whose command was allowed. */
async function recorded(): Promise<readonly Call[]> {
  const text = await readFile(join(import.meta.dirname, "transcripts/opencode-1.18.33.jsonl"), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const ID = "ses_ddf4a7eedffeaaUl4Mb6dC4Nlm";
let loads = 0;

async function keeping() {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-opencode-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const path = join(folder, "plugin.mjs");
  await writeFile(path, opencodePlugin({ command: ["true"], folder }));
  const load = async (): Promise<Plugin> => (await import(`${pathToFileURL(path).href}?${loads++}`)).Tmpm();
  const feed = async (plugin: Plugin, calls: readonly Call[]) => {
    for (const { event, "chat.message": message, "chat.params": params } of calls) {
      if (event !== undefined) await plugin.event({ event });
      if (Array.isArray(message)) await plugin["chat.message"](...message);
      if (Array.isArray(params)) await plugin["chat.params"](...params);
    }
  };
  const reader = (conversationId = ID) => opencodeTranscript({ conversationId, env: {}, folder });
  return { folder, load, feed, reader };
}

const WHOLE = {
  prompt: 'mock: {"run":"touch x.txt","say":"did it"}',
  message: "did it",
  reply: "did it",
  model: "mock-model",
  tokens: 13,
  contextLimit: 200_000,
  prompts: 1,
};

test("OpenCode's plugin keeps the last prompt, message, model and tokens across a restart", async () => {
  const { load, feed, reader } = await keeping();
  const calls = await recorded();
  const transcript = reader();
  expect(await transcript.read()).toBeNull();
  const plugin = await load();
  const half = calls.findIndex((call) => JSON.stringify(call).includes("Let me see"));
  await feed(plugin, calls.slice(0, half + 1));
  expect(await transcript.read()).toMatchObject({ message: "Let me see.", reply: "Let me see.", prompts: 1 });
  await feed(plugin, calls.slice(half + 1));
  expect(await transcript.read()).toMatchObject(WHOLE);
  expect((await transcript.read())?.exchanges).toMatchObject([{ prompt: WHOLE.prompt, reply: "did it", error: null }]);
  const again = await load();
  await feed(
    again,
    calls.filter((call) => "chat.message" in call),
  );
  expect(await transcript.read()).toMatchObject({ ...WHOLE, reply: null, prompts: 2 });
});

test("ignores other conversations, sub-agents and conversations without hooks", async () => {
  const { load, feed, reader, folder } = await keeping();
  const calls = await recorded();
  const child = JSON.parse(JSON.stringify(calls).replaceAll(ID, "ses_child").replace('"slug"', '"parentID":"ses_parent","slug"'));
  await feed(await load(), child);
  expect((await readdir(folder)).filter((name) => name.endsWith(".json"))).toEqual([]);
  await feed(await load(), calls);
  expect(await reader("ses_other").read()).toBeNull();
  expect(await reader("../plugin").read()).toBeNull();
  expect(await opencodeTranscript({ conversationId: ID, env: {} }).read()).toBeNull();
});

test("is bounded: long texts are truncated, old conversations dropped, corrupt ones skipped", async () => {
  const { load, feed, reader, folder } = await keeping();
  const plugin = await load();
  for (let index = 0; index < 12; index++) {
    const parts = [{ type: "text", text: `${index} `.repeat(40_000) }];
    await feed(plugin, [{ "chat.message": [{ sessionID: `ses_${index}` }, { parts }] }]);
  }
  expect((await readdir(folder)).filter((name) => name.endsWith(".json")).length).toBeLessThanOrEqual(10);
  const transcript = reader("ses_11");
  expect((await transcript.read())?.prompt?.length).toBe(65_536);
  await writeFile(join(folder, "opencode-ses_11.json"), "{cut");
  expect((await transcript.read())?.prompts).toBe(1);
  await feed(plugin, [
    { event: { type: "message.updated" } },
    { event: { type: "message.part.updated", properties: { part: 7 } } },
    { "chat.message": [{}, null] },
  ]);
});

test("a reply or error belongs to the prompt that it answers; an interrupt is not an error", async () => {
  const { load, feed, reader } = await keeping();
  const plugin = await load();
  const asks = (id: string, text: string) => ({
    "chat.message": [{ sessionID: ID }, { message: { id }, parts: [{ type: "text", text }] }],
  });
  const event = (type: string, properties: Call) => ({ event: { type, properties } });
  const info = (id: string, parentID: string, more: Call = {}) =>
    event("message.updated", { info: { id, parentID, role: "assistant", sessionID: ID, ...more } });
  const says = (messageID: string, text: string) =>
    event("message.part.updated", { part: { type: "text", text, messageID, sessionID: ID, time: { end: 1 } } });
  const error = { name: "APIError", data: { message: "mock 400" } };
  await feed(plugin, [
    asks("msg_1", "first"),
    info("msg_2", "msg_1"),
    asks("msg_3", "second"),
    says("msg_2", "one"),
    info("msg_4", "msg_3", { error }),
    asks("msg_5", "third"),
    event("session.error", { sessionID: ID, error }),
    asks("msg_6", "fourth"),
    info("msg_7", "msg_6", { error: { name: "MessageAbortedError", data: { message: "Aborted" } } }),
  ]);
  expect((await reader().read())?.exchanges).toMatchObject([
    { prompt: "first", reply: "one", error: null },
    { prompt: "second", reply: null, error: "mock 400" },
    { prompt: "third", reply: null, error: "mock 400" },
    { prompt: "fourth", reply: null, error: null },
  ]);
});
