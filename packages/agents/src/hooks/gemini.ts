import { access } from "node:fs/promises";
import { join } from "node:path";
import type { AgentHooks } from "../agent-hooks.js";
import type { HookReading } from "../hook-reading.js";
import { claudeLike } from "./claude-like.js";
import { textAt } from "./json.js";
import { shellLine } from "./shell-word.js";

/** Milliseconds after which Gemini stops waiting for a hook. */
const TIMEOUT_MS = 5_000;

/** `BeforeModel` and `AfterModel` would slow every turn by about a second each, and say nothing more. */
const EVENTS = ["SessionStart", "SessionEnd", "BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "Notification"];

/** The settings that everybody on the machine starts from: any other settings go before them, and lists of hooks are joined. */
const DEFAULTS = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH";
const DEFAULTS_FILE = "/etc/gemini-cli/system-defaults.json";

/** Gemini CLI 0.61: a file in the place of the machine's default settings, where there are none. */
export const geminiHooks: AgentHooks = {
  async plan({ command, folder, env }) {
    if (env[DEFAULTS] !== undefined || (await exists(DEFAULTS_FILE))) return null;
    const path = join(folder, "gemini-defaults.json");
    const hook = { name: "tmpm", type: "command", command: shellLine(command), timeout: TIMEOUT_MS };
    const hooks = Object.fromEntries(EVENTS.map((event) => [event, [{ matcher: "*", hooks: [hook] }]]));
    return { files: [{ path, text: `${JSON.stringify({ hooks }, null, 2)}\n` }], argv: [], env: { [DEFAULTS]: path } };
  },
  read: readGeminiHook,
};

/** Nothing follows a refused tool; `AfterAgent` also ends an interrupted turn and a failed one. */
export function readGeminiHook(payload: unknown): HookReading | null {
  const base = claudeLike(payload);
  if (base === null) return null;
  switch (base.event) {
    case "SessionStart":
      // Late on a busy machine: it has come after the first prompt.
      return { ...base, binds: true, evidence: `Gemini began: ${textAt(payload, "source") ?? "startup"}` };
    case "BeforeAgent":
      return { ...base, binds: true, prompted: true, state: "working", evidence: "Gemini took a prompt" };
    case "BeforeTool":
      return { ...base, state: "working", evidence: `Gemini uses ${base.tool ?? "a tool"}` };
    case "AfterTool":
      return { ...base, state: "working", evidence: `Gemini has used ${base.tool ?? "a tool"}` };
    case "Notification":
      return notified(base, payload);
    case "AfterAgent":
      return { ...base, state: "idle", evidence: "Gemini ended its turn" };
    case "SessionEnd":
      return { ...base, evidence: `the conversation was left: ${textAt(payload, "reason") ?? "no reason given"}` };
    default:
      return null;
  }
}

function notified(base: HookReading, payload: unknown): HookReading {
  if (textAt(payload, "notification_type") !== "ToolPermission") {
    return { ...base, evidence: `Gemini notified: ${textAt(payload, "message") ?? "nothing"}` };
  }
  const tool = textAt(payload, "details", "type");
  const subject =
    textAt(payload, "details", "command") ??
    textAt(payload, "details", "filePath") ??
    textAt(payload, "details", "fileName") ??
    textAt(payload, "message") ??
    "";
  return {
    ...base,
    tool,
    state: "awaiting_approval",
    evidence: `Gemini asks: ${textAt(payload, "message") ?? "for a permission"}`,
    decision: { kind: "approval", tool, subject, choices: [] },
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    // What cannot be looked at, Gemini cannot read either.
    return false;
  }
}
