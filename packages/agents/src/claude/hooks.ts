import { join } from "node:path";
import { textAt } from "../files/json-path.js";
import type { AgentHooks } from "../hooks/agent-hooks.js";
import { approvalOf, claudeLike, questionOf } from "../hooks/claude-like.js";
import type { HookReading } from "../hooks/hook-reading.js";
import { shellLine } from "../hooks/shell-word.js";
import { limitIn } from "../screen/read-limit.js";

/** Seconds after which Claude stops waiting for a hook. */
const TIMEOUT_S = 5;

/** The tools that ask the user a question. */
const ASKING = "AskUserQuestion|ExitPlanMode";

/** Events without a matcher are reported for every tool. */
const EVENTS: readonly { readonly name: string; readonly matcher?: string }[] = [
  { name: "SessionStart" },
  { name: "UserPromptSubmit" },
  // For every tool it would only repeat that Claude works, and delay Claude.
  { name: "PreToolUse", matcher: ASKING },
  { name: "PermissionRequest" },
  { name: "PostToolUse" },
  { name: "PostToolUseFailure" },
  { name: "Notification" },
  { name: "SubagentStart" },
  { name: "SubagentStop" },
  { name: "Stop" },
  { name: "StopFailure" },
  { name: "SessionEnd" },
];

/** Claude Code 2.1: a settings file of the session's own adds hooks to those of the user. */
export const claudeHooks: AgentHooks = {
  async plan({ command, folder }) {
    const path = join(folder, "claude-settings.json");
    const hook = { type: "command", command: shellLine(command), timeout: TIMEOUT_S };
    const hooks = EVENTS.map(({ name, ...matcher }) => [name, [{ ...matcher, hooks: [hook] }]]);
    const text = `${JSON.stringify({ hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
    return { files: [{ path, text }], argv: ["--settings", path], env: {} };
  },
  read: readClaudeHook,
};

/** No event follows an interrupt or a denial: only the screen shows them. */
export function readClaudeHook(payload: unknown): HookReading | null {
  const base = claudeLike(payload);
  if (base === null) return null;
  const { event, tool } = base;
  // Tools of a sub-agent run in the conversation that started it.
  const used = tool ?? "a tool";
  switch (event) {
    case "SessionStart":
      // Sent around the first paint of an input that does not accept Enter yet, or during a turn, so it does not determine the state.
      return { ...base, binds: true, evidence: `Claude started: ${textAt(payload, "source") ?? "startup"}` };
    case "UserPromptSubmit":
      return {
        ...base,
        binds: true,
        prompted: true,
        prompt: textAt(payload, "prompt"),
        state: "working",
        evidence: "Claude accepted a prompt",
      };
    case "PreToolUse":
      return tool === null || !isAsking(tool) ? { ...base, state: "working", evidence: `Claude uses ${used}` } : asking(base, payload);
    case "PermissionRequest":
      return asking(base, payload);
    case "PostToolUse":
      return { ...base, state: "working", evidence: `Claude has used ${used}` };
    case "PostToolUseFailure":
      return { ...base, state: "working", evidence: `${used} failed` };
    case "Notification":
      // Sent 5.8 s after a dialog and 60 s after a turn, when the state may have changed.
      return { ...base, evidence: `Claude sent a notification: ${textAt(payload, "message") ?? "nothing"}` };
    case "SubagentStart":
    case "SubagentStop":
      return { ...base, ...subagent(payload, event === "SubagentStart" ? "started" : "ended") };
    case "Stop":
      return { ...base, state: "idle", evidence: "Claude ended its turn" };
    case "StopFailure":
      return failed(base, textAt(payload, "last_assistant_message") ?? textAt(payload, "error") ?? "no reason given");
    case "SessionEnd":
      return { ...base, evidence: `the conversation ended: ${textAt(payload, "reason") ?? "no reason given"}` };
    default:
      return null;
  }
}

/** The reset of a limit is read from the screen, which shows it to the minute. */
function failed(base: HookReading, reason: string): HookReading {
  return { ...base, state: "errored", evidence: `Claude's turn failed: ${reason}`, limit: limitIn(reason, undefined) };
}

function isAsking(tool: string): boolean {
  return ASKING.split("|").includes(tool);
}

function asking(base: HookReading, payload: unknown): HookReading {
  const question = base.tool === "AskUserQuestion" ? questionOf(payload) : null;
  if (question !== null) return { ...base, state: "awaiting_input", evidence: "Claude asks a question", decision: question };
  return { ...base, state: "awaiting_approval", evidence: `Claude asks to use ${base.tool ?? "a tool"}`, decision: approvalOf(payload) };
}

function subagent(payload: unknown, change: "started" | "ended"): Partial<HookReading> {
  const id = textAt(payload, "agent_id");
  const kind = textAt(payload, "agent_type") ?? "no kind";
  return { state: "working", evidence: `a sub-agent ${change} (${kind})`, subagent: id === null ? null : { change, id } };
}
