import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isObject, listAt, numberAt, textAt } from "../files/json-path.js";
import type { AgentHooks } from "../hooks/agent-hooks.js";
import type { HookPlan, HookRequest } from "../hooks/hook-plan.js";
import type { HookReading } from "../hooks/hook-reading.js";
import { type OpencodePlugin, opencodePlugin } from "./plugin.js";
import { opencodeUsagePlugin } from "./usage-keeper.js";

/** Configuration that OpenCode merges with the user's files, including lists of plugins. */
export const CONFIG_CONTENT = "OPENCODE_CONFIG_CONTENT";

/** OpenCode 1.18: a plugin file, named by configuration in the environment. */
export const opencodeHooks: AgentHooks = {
  plan: async (request) => withPlugin(request, opencodePlugin),
  read: readOpencodeHook,
};

/** A plugin that records the usage of every response, and reports nothing: the protocol reports only the last response of a turn. */
export function opencodeKeeper(request: HookRequest): HookPlan | null {
  return withPlugin(request, opencodeUsagePlugin);
}

function withPlugin(request: HookRequest, textOf: (plugin: OpencodePlugin) => string): HookPlan | null {
  const { command, folder, env } = request;
  const config = configOf(env[CONFIG_CONTENT]);
  if (config === null) return null;
  const path = join(folder, "opencode-plugin.js");
  const plugin = [...listAt(config, "plugin"), pathToFileURL(path).href];
  return {
    files: [{ path, text: textOf({ command, folder }) }],
    argv: [],
    env: { [CONFIG_CONTENT]: JSON.stringify({ ...config, plugin }) },
  };
}

/** Null for text that only OpenCode itself can interpret. */
export function configOf(text: string | undefined): Readonly<Record<string, unknown>> | null {
  if (text === undefined || text === "") return {};
  try {
    const config: unknown = JSON.parse(text);
    return isObject(config) ? config : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Idle always follows, also after an interrupt, a denial and an error. */
export function readOpencodeHook(payload: unknown): HookReading | null {
  const type = textAt(payload, "type")?.replace(/^event:/, "");
  if (type === undefined) return null;
  const tool = textAt(payload, "properties", "tool") ?? textAt(payload, "i", "tool");
  const base: HookReading = {
    event: type,
    conversationId: textAt(payload, "properties", "sessionID") ?? textAt(payload, "i", "sessionID"),
    binds: false,
    prompted: false,
    state: null,
    evidence: type,
    tool,
    decision: null,
    subagent: null,
    tokens: null,
  };
  switch (type) {
    case "session.created":
      return created(base, payload);
    case "session.updated":
      return { ...base, evidence: "the conversation changed", tokens: tokensOf(payload) };
    case "chat.message":
      return {
        ...base,
        prompted: true,
        prompt: textAt(payload, "properties", "prompt"),
        state: "working",
        evidence: "OpenCode accepted a prompt",
      };
    case "session.status":
      return status(base, payload);
    case "session.idle":
      return { ...base, state: "idle", evidence: "OpenCode ended its turn" };
    case "session.error":
      return { ...base, ...failed(payload) };
    case "permission.asked":
      return asked(base, payload);
    case "permission.replied":
      return { ...base, state: "working", evidence: `the permission was answered: ${textAt(payload, "properties", "reply") ?? "somehow"}` };
    case "tool.execute.before":
      return { ...base, state: "working", evidence: `OpenCode uses ${tool ?? "a tool"}` };
    case "tool.execute.after":
      return { ...base, state: "working", evidence: `OpenCode has used ${tool ?? "a tool"}` };
    default:
      return null;
  }
}

/** A conversation with a parent is a sub-agent's; it is reported as idle when it has ended. */
function created(base: HookReading, payload: unknown): HookReading {
  const parent = textAt(payload, "properties", "info", "parentID");
  const id = textAt(payload, "properties", "info", "id") ?? base.conversationId;
  if (parent === null) return { ...base, conversationId: id, binds: true, evidence: "a conversation started" };
  return {
    ...base,
    conversationId: parent,
    state: "working",
    evidence: "a sub-agent started",
    subagent: id === null ? null : { change: "started", id },
  };
}

function status(base: HookReading, payload: unknown): HookReading {
  switch (textAt(payload, "properties", "status", "type")) {
    case "busy":
      return { ...base, state: "working", evidence: "OpenCode is busy" };
    case "retry":
      return retry(base, payload);
    case "idle":
      return { ...base, state: "idle", evidence: "OpenCode is idle" };
    default:
      return base;
  }
}

function retry(base: HookReading, payload: unknown): HookReading {
  const message = textAt(payload, "properties", "status", "message");
  const waits = { message: message ?? "the model's API fails", resetsAtMs: numberAt(payload, "properties", "status", "next") };
  const evidence = `the model's API fails, OpenCode tries again${message === null ? "" : `: ${message}`}`;
  return { ...base, state: "working", evidence, waits };
}

/** An interrupt is also reported as an error; idle follows either way. */
function failed(payload: unknown): Partial<HookReading> {
  const name = textAt(payload, "properties", "error", "name") ?? "an error";
  const message = textAt(payload, "properties", "error", "data", "message");
  if (name === "MessageAbortedError") return { state: "idle", evidence: "the turn was interrupted" };
  return { evidence: `the turn failed: ${message ?? name}` };
}

function asked(base: HookReading, payload: unknown): HookReading {
  const tool = textAt(payload, "properties", "permission");
  const patterns = listAt(payload, "properties", "patterns").filter((pattern) => typeof pattern === "string");
  const subject =
    textAt(payload, "properties", "metadata", "command") ?? textAt(payload, "properties", "metadata", "filepath") ?? patterns.join("\n");
  const decision = { kind: "approval", tool, subject, choices: [] } as const;
  return { ...base, tool, state: "awaiting_approval", evidence: `OpenCode asks to use ${tool ?? "a tool"}`, decision };
}

function tokensOf(payload: unknown): number | null {
  const parts = [["input"], ["output"], ["reasoning"], ["cache", "read"], ["cache", "write"]];
  const counts = parts.map((path) => numberAt(payload, "properties", "info", "tokens", ...path));
  return counts.every((count) => count === null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
