import { textAt } from "../files/json-path.js";
import type { AgentHooks } from "../hooks/agent-hooks.js";
import { claudeLike } from "../hooks/claude-like.js";
import type { HookReading } from "../hooks/hook-reading.js";

/**
 * Gemini CLI 0.61 takes hooks only from files of the user, the project and the machine, the last owned by root: we may write none of them.
 * Events arrive if the user has added the hook (docs/activity.md).
 */
export const geminiHooks: AgentHooks = { plan: async () => null, read: readGeminiHook };

/** No event follows a denied tool; `AfterAgent` also ends an interrupted turn and a failed one. */
export function readGeminiHook(payload: unknown): HookReading | null {
  const base = claudeLike(payload);
  if (base === null) return null;
  switch (base.event) {
    case "SessionStart":
      // On a busy machine it may arrive after the first prompt.
      return { ...base, binds: true, evidence: `Gemini started: ${textAt(payload, "source") ?? "startup"}` };
    case "BeforeAgent":
      return {
        ...base,
        binds: true,
        prompted: true,
        prompt: textAt(payload, "prompt"),
        state: "working",
        evidence: "Gemini accepted a prompt",
      };
    case "BeforeTool":
      return { ...base, state: "working", evidence: `Gemini uses ${base.tool ?? "a tool"}` };
    case "AfterTool":
      return { ...base, state: "working", evidence: `Gemini has used ${base.tool ?? "a tool"}` };
    case "Notification":
      return notified(base, payload);
    case "AfterAgent":
      return { ...base, state: "idle", evidence: "Gemini ended its turn" };
    case "SessionEnd":
      return { ...base, evidence: `the conversation ended: ${textAt(payload, "reason") ?? "no reason given"}` };
    default:
      return null;
  }
}

function notified(base: HookReading, payload: unknown): HookReading {
  if (textAt(payload, "notification_type") !== "ToolPermission") {
    return { ...base, evidence: `Gemini sent a notification: ${textAt(payload, "message") ?? "nothing"}` };
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
