import { isObject, listAt, textAt } from "../files/json-path.js";
import type { Decision } from "../screen/decision.js";
import type { HookReading } from "./hook-reading.js";

/** Fields with a tool call's subject, the most specific first. */
const KEYS = ["command", "file_path", "path", "url", "query", "pattern", "plan", "prompt", "description"] as const;

/** The exact subject of a tool call: the command, the file, or the whole input as JSON. */
function subjectOf(input: unknown): string {
  const found = KEYS.map((key) => textAt(input, key)).find((text) => text !== null);
  if (found !== undefined && found !== null) return found;
  return isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : "";
}

/** An event without effect, of an agent whose events have Claude Code's field names; others extend it. */
export function claudeLike(payload: unknown): HookReading | null {
  const event = textAt(payload, "hook_event_name");
  if (event === null) return null;
  return {
    event,
    conversationId: textAt(payload, "session_id"),
    binds: false,
    prompted: false,
    state: null,
    evidence: event,
    tool: textAt(payload, "tool_name"),
    ...skillOf(payload),
    decision: null,
    subagent: null,
    tokens: null,
  };
}

/** Claude Code starts a skill with its tool `Skill`, which names it. */
function skillOf(payload: unknown): Pick<HookReading, "skill"> {
  if (textAt(payload, "tool_name") !== "Skill") return {};
  const skill = textAt(payload, "tool_input", "skill") ?? textAt(payload, "tool_input", "command");
  return skill === null ? {} : { skill };
}

/** The approval opened by a tool request. */
export function approvalOf(payload: unknown): Decision {
  const input = typeof payload === "object" && payload !== null && "tool_input" in payload ? payload.tool_input : null;
  return { kind: "approval", tool: textAt(payload, "tool_name"), subject: subjectOf(input), choices: [] };
}

/** The first question of a question tool. */
export function questionOf(payload: unknown): Decision | null {
  const [first] = listAt(payload, "tool_input", "questions");
  const question = textAt(first, "question");
  if (question === null) return null;
  const labels = listAt(first, "options").flatMap((option) => textAt(option, "label") ?? []);
  return {
    kind: "question",
    tool: textAt(payload, "tool_name"),
    subject: question,
    choices: labels.map((label) => ({ label, keys: null, takesText: false })),
  };
}
