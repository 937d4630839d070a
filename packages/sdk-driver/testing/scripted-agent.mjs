#!/usr/bin/env node
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * An agent for tests that speaks the Agent Client Protocol on its standard input and output, written without the protocol library of tmpm.
 *
 * The prompt contains its behaviour, as JSON on a separate line: `agent: {"say": "hello", "ask": ["echo hi"]}`. In this order:
 *   plan: [contents]   thinks: text   aside: [commands], asked while it goes on   ask: [commands], asked in order   slowMs: time that a cancel ends at once   deafMs: time that nothing ends
 *   lines: number of output lines of a tool   garbage: true, lines that are not messages   silent: true, no words   say: text   tokens: count   usage: the turn's usage
 *   model: one that it changes to itself   refuse: message (an invalid request)   error: message   crash: true   exit: status   stop: reason
 * Without one it answers with the digest of its prompt. Its configuration is its argument or `TMPM_SCRIPTED`, as JSON:
 *   load: false   resume: true (without a replay)   auth: true (requires a login by a user) or the key that its method `key` accepts
 *   heldKey: the key that it has   version: number   openMs: time   store: folder of its conversations
 *   exit: status, afterMs: time until then   stays: true (continues when its input ends)
 */

const habits = JSON.parse(process.argv[2] ?? process.env.TMPM_SCRIPTED ?? "{}");
const { load = true, resume = false, store = null } = habits;

const conversations = new Map();
const asked = new Map();
let cancelling = () => undefined;
let calls = 0;
let authenticated = habits.auth === undefined;

function requireLogin() {
  if (!authenticated) throw fault(-32000, "Authentication required");
}

const MODELS = [
  { value: "small", name: "Small" },
  { value: "large", name: "Large" },
];
const MODES = [
  { id: "build", name: "Build" },
  { id: "plan", name: "Plan" },
];

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (sessionId, body) => send({ method: "session/update", params: { sessionId, update: body } });
const text = (words) => ({ type: "text", text: words });

function settingsOf({ model, mode }) {
  return {
    modes: { currentModeId: mode, availableModes: MODES },
    configOptions: [{ id: "model", name: "Model", category: "model", type: "select", currentValue: model, options: MODELS }],
  };
}

function keep(conversation) {
  conversations.set(conversation.id, conversation);
  if (store === null) return;
  mkdirSync(store, { recursive: true });
  writeFileSync(join(store, `${conversation.id}.json`), JSON.stringify(conversation));
}

function kept(id) {
  if (store === null || !/^[\w-]+$/.test(id)) return undefined;
  const path = join(store, `${id}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

const METHODS = {
  async initialize() {
    await sleep(habits.openMs ?? 0);
    return {
      protocolVersion: habits.version ?? 1,
      agentCapabilities: { loadSession: load, sessionCapabilities: resume ? { resume: {} } : {} },
      authMethods: [
        { id: "login", name: "Log in", description: "Run `scripted login`" },
        ...(typeof habits.auth === "string" ? [{ id: "key", name: "API key", description: "Requires SCRIPTED_API_KEY to be set" }] : []),
      ],
      agentInfo: { name: "Scripted", version: "1.0.0" },
    };
  },
  "session/new"({ mcpServers }) {
    requireLogin();
    if (habits.servers !== undefined && JSON.stringify(mcpServers) !== JSON.stringify(habits.servers))
      throw fault(-32602, `other servers were expected: ${JSON.stringify(mcpServers)}`);
    const conversation = { id: randomUUID(), model: "small", mode: "build", said: [] };
    keep(conversation);
    return { sessionId: conversation.id, ...settingsOf(conversation) };
  },
  authenticate({ methodId }) {
    if (methodId !== "key") throw fault(-32603, `a person has to log in by ${methodId}`);
    if (habits.heldKey !== habits.auth) throw fault(-32603, "the key is not valid");
    authenticated = true;
    return {};
  },
  "session/load"({ sessionId }) {
    requireLogin();
    const conversation = recall(sessionId);
    for (const { who, words } of conversation.said) {
      update(sessionId, { sessionUpdate: who === "user" ? "user_message_chunk" : "agent_message_chunk", content: text(words) });
    }
    return settingsOf(conversation);
  },
  "session/resume": ({ sessionId }) => settingsOf(recall(sessionId)),
  "session/set_mode"({ sessionId, modeId }) {
    if (!MODES.some(({ id }) => id === modeId)) throw fault(-32602, `no mode ${modeId}`);
    const conversation = found(sessionId);
    keep({ ...conversation, mode: modeId });
    update(sessionId, { sessionUpdate: "current_mode_update", currentModeId: modeId });
    return {};
  },
  "session/set_config_option"({ sessionId, configId, value }) {
    if (configId !== "model" || !MODELS.some((model) => model.value === value)) throw fault(-32602, `no ${configId} ${value}`);
    const changed = { ...found(sessionId), model: value };
    keep(changed);
    return { configOptions: settingsOf(changed).configOptions };
  },
  async "session/prompt"({ sessionId, prompt }) {
    const conversation = found(sessionId);
    const words = prompt.map((block) => block.text ?? "").join("\n");
    const script = scriptOf(words);
    if (script.refuse !== undefined) throw fault(-32602, script.refuse);
    let cancelled = false;
    let wake = () => undefined;
    cancelling = () => {
      cancelled = true;
      wake();
    };
    const say = await perform(sessionId, {
      script,
      words,
      model: conversation.model,
      ended: () => cancelled,
      pause: (ms) => Promise.race([sleep(ms), new Promise((resolve) => (wake = resolve))]),
    });
    keep({ ...found(sessionId), said: [...conversation.said, { who: "user", words }, { who: "agent", words: say }] });
    return {
      stopReason: cancelled ? "cancelled" : (script.stop ?? "end_turn"),
      ...(script.usage === undefined ? {} : { usage: script.usage }),
    };
  },
};

async function perform(sessionId, { script, words, model, ended, pause }) {
  const { plan, thinks, ask = [], slowMs = 0, deafMs = 0, lines = 0, garbage, silent, tokens, error, crash } = script;
  if (plan !== undefined) {
    update(sessionId, {
      sessionUpdate: "plan",
      entries: plan.map((content, i) => ({ content, priority: "medium", status: i === 0 ? "in_progress" : "pending" })),
    });
  }
  if (script.model !== undefined) {
    const changed = { ...found(sessionId), model: script.model };
    keep(changed);
    update(sessionId, { sessionUpdate: "config_option_update", configOptions: settingsOf(changed).configOptions });
  }
  if (thinks !== undefined) update(sessionId, { sessionUpdate: "agent_thought_chunk", content: text(thinks) });
  if (garbage === true) process.stdout.write('this is not a message\n{"also": no message}\n\n"nor this"\n');
  if (crash === true) {
    update(sessionId, { sessionUpdate: "agent_message_chunk", content: text("going down") });
    process.stderr.write("a fault of mine\n");
    await new Promise((resolve) => process.stdout.write("", resolve));
    process.exit(7);
  }
  if (script.exit !== undefined) process.exit(script.exit);
  for (const command of script.aside ?? []) void useTool(sessionId, command);
  for (const command of ask) if (!ended()) await useTool(sessionId, command);
  if (lines > 0) printLines(sessionId, lines);
  if (deafMs > 0) await sleep(deafMs);
  if (slowMs > 0 && !ended()) await pause(slowMs);
  if (tokens !== undefined) update(sessionId, { sessionUpdate: "usage_update", used: tokens, size: 100_000 });
  if (error !== undefined) throw fault(-32603, error);
  if (ended() || silent === true) return "";
  const say = script.say ?? digestOf(words, model);
  for (const piece of say.match(/[\s\S]{1,64}/gu) ?? []) update(sessionId, { sessionUpdate: "agent_message_chunk", content: text(piece) });
  return say;
}

async function useTool(sessionId, command) {
  const toolCallId = `call-${++calls}`;
  update(sessionId, { sessionUpdate: "tool_call", toolCallId, title: "shell", kind: "execute", status: "pending", rawInput: { command } });
  const options = [
    { optionId: "yes", kind: "allow_once", name: "Allow once" },
    { optionId: "ever", kind: "allow_always", name: "Always allow" },
    { optionId: "no", kind: "reject_once", name: "Reject" },
  ];
  const toolCall = { toolCallId, title: "shell", kind: "execute", rawInput: { command } };
  const { outcome } = await ask("session/request_permission", { sessionId, toolCall, options });
  const allowed = outcome.outcome === "selected" && outcome.optionId !== "no";
  const content = [{ type: "content", content: text(allowed ? `ran ${command}` : `${outcome.optionId ?? outcome.outcome}: not run`) }];
  update(sessionId, { sessionUpdate: "tool_call_update", toolCallId, status: allowed ? "completed" : "failed", content });
}

function printLines(sessionId, count) {
  const toolCallId = `call-${++calls}`;
  const all = Array.from({ length: count }, (_, i) => `line ${i + 1}`).join("\n");
  update(sessionId, { sessionUpdate: "tool_call", toolCallId, title: "print", kind: "execute", status: "in_progress" });
  update(sessionId, {
    sessionUpdate: "tool_call_update",
    toolCallId,
    status: "completed",
    content: [{ type: "content", content: text(all) }],
  });
}

function ask(method, params) {
  const id = `ask-${asked.size + 1}-${process.pid}`;
  return new Promise((resolve) => {
    asked.set(id, resolve);
    send({ id, method, params });
  });
}

function scriptOf(words) {
  const line = /^agent: (\{.*\})$/mu.exec(words)?.[1];
  return line === undefined ? {} : JSON.parse(line);
}

function digestOf(words, model) {
  return `${model} read sha256 ${createHash("sha256").update(words).digest("hex")} of ${Buffer.byteLength(words)} bytes`;
}

function found(id) {
  const conversation = conversations.get(id);
  if (conversation === undefined) throw fault(-32002, `no conversation ${id}`);
  return conversation;
}

function recall(id) {
  const conversation = kept(id);
  if (conversation === undefined) throw fault(-32002, `no conversation ${id}`);
  conversations.set(id, conversation);
  return conversation;
}

function fault(code, message) {
  return Object.assign(new Error(message), { code });
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function take(message) {
  if (message.method === "session/cancel") return cancelling();
  if (message.method === undefined) return asked.get(message.id)?.(message.result ?? { outcome: { outcome: "cancelled" } });
  const method = METHODS[message.method];
  try {
    if (method === undefined) throw fault(-32601, `no method ${message.method}`);
    send({ id: message.id, result: await method(message.params) });
  } catch (error) {
    send({ id: message.id, error: { code: error.code ?? -32603, message: error.message } });
  }
}

if (habits.exit !== undefined) {
  setTimeout(() => {
    process.stderr.write("I do not feel like it\n");
    process.exit(habits.exit);
  }, habits.afterMs ?? 0);
}
if (habits.stays === true) setInterval(() => undefined, 60_000);

/** A message ends at a line feed alone: node:readline takes U+2028 and U+2029, which JSON may hold as they are, for ends of lines too. */
let rest = "";
process.stdin
  .setEncoding("utf8")
  .on("data", (piece) => {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) void take(JSON.parse(line));
  })
  .on("end", () => habits.stays === true || process.exit(0));
