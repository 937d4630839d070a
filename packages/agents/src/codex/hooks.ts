import { createHash } from "node:crypto";
import { textAt } from "../files/json-path.js";
import type { AgentHooks } from "../hooks/agent-hooks.js";
import { approvalOf, claudeLike } from "../hooks/claude-like.js";
import type { HookReading } from "../hooks/hook-reading.js";
import { shellLine } from "../hooks/shell-word.js";

/** Seconds after which Codex stops waiting for a hook; the most that every event allows. */
const TIMEOUT_S = 3;

/** Codex's two names of each event: in the configuration, and in its list of trusted hooks. */
const EVENTS = [
  ["SessionStart", "session_start"],
  ["UserPromptSubmit", "user_prompt_submit"],
  ["PermissionRequest", "permission_request"],
  ["PostToolUse", "post_tool_use"],
  ["SubagentStart", "subagent_start"],
  ["SubagentStop", "subagent_stop"],
  ["Stop", "stop"],
  ["Interrupt", "interrupt"],
  ["SessionEnd", "session_end"],
] as const;

/**
 * Codex 0.171: configuration in its arguments adds hooks to those of the user, and trusts only these; trust in others stays with the user.
 */
export const codexHooks: AgentHooks = {
  trustedBy: "0.171.0",
  async plan({ command }) {
    const line = shellLine(command);
    const hook = `{type="command",command=${tomlText(line)},timeout=${TIMEOUT_S}}`;
    const hooks = EVENTS.flatMap(([name]) => ["-c", `hooks.${name}=[{hooks=[${hook}]}]`]);
    const trusted = EVENTS.map(([, key]) => `"/<session-flags>/config.toml:${key}:0:0"={trusted_hash="${trustHash(key, line)}"}`);
    return { files: [], argv: [...hooks, "-c", `hooks.state={${trusted.join(",")}}`], env: {} };
  },
  read: readCodexHook,
};

/**
 * Codex's digest of a trusted hook: over the hook as JSON with sorted keys. Another version may compute it otherwise, and then asks the
 * user.
 */
function trustHash(event: string, command: string): string {
  const identity = { event_name: event, hooks: [{ async: false, command, timeout: TIMEOUT_S, type: "command" }] };
  return `sha256:${createHash("sha256").update(JSON.stringify(identity)).digest("hex")}`;
}

/** A basic string of TOML has the escapes of JSON. */
function tomlText(text: string): string {
  return JSON.stringify(text);
}

/** No event follows an error of the model's API. */
export function readCodexHook(payload: unknown): HookReading | null {
  const base = claudeLike(payload);
  if (base === null) return null;
  const used = base.tool ?? "a tool";
  switch (base.event) {
    case "SessionStart":
      // Sent with the first prompt, not at launch.
      return { ...base, binds: true, evidence: `Codex started: ${textAt(payload, "source") ?? "startup"}` };
    case "UserPromptSubmit":
      return {
        ...base,
        binds: true,
        prompted: true,
        prompt: textAt(payload, "prompt"),
        state: "working",
        evidence: "Codex accepted a prompt",
      };
    case "PreToolUse":
      return { ...base, state: "working", evidence: `Codex uses ${used}` };
    case "PermissionRequest":
      return { ...base, state: "awaiting_approval", evidence: `Codex asks to use ${used}`, decision: approvalOf(payload) };
    case "PostToolUse":
      return { ...base, state: "working", evidence: `Codex has used ${used}` };
    case "SubagentStart":
    case "SubagentStop":
      return { ...base, ...subagent(payload, base.event === "SubagentStart" ? "started" : "ended") };
    case "Stop":
      return { ...base, state: "idle", evidence: "Codex ended its turn" };
    case "Interrupt":
      return { ...base, state: "idle", evidence: "the turn was interrupted, or a request refused" };
    case "SessionEnd":
      return { ...base, evidence: `the conversation ended: ${textAt(payload, "reason") ?? "no reason given"}` };
    default:
      return null;
  }
}

function subagent(payload: unknown, change: "started" | "ended"): Partial<HookReading> {
  const id = textAt(payload, "agent_id");
  return { state: "working", evidence: `a sub-agent ${change}`, subagent: id === null ? null : { change, id } };
}
