import type { ContentBlock, PlanEntry, SessionUpdate, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { ConversationEvent } from "../conversation/event.js";
import { cutText, MOST_OUTPUT, MOST_SAID, MOST_TITLE } from "../transcript/bounds.js";

/** The event of a protocol update; null for updates that are not used here. */
export function eventOfUpdate(update: SessionUpdate): ConversationEvent | null {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
      return said("user", update);
    case "agent_message_chunk":
      return said("agent", update);
    case "agent_thought_chunk":
      return said("thought", update);
    case "tool_call":
    case "tool_call_update":
      return used(update);
    case "plan":
      return { type: "planned", plan: update.entries.map(planStep) };
    case "usage_update":
      return { type: "counted", tokens: whole(update.used), context_limit: whole(update.size) };
    case "notice":
      return { type: "noted", text: `${update.severity}: ${update.title}` };
    default:
      return null;
  }
}

function said(
  who: "user" | "agent" | "thought",
  { content, messageId }: { readonly content: ContentBlock; readonly messageId?: string | null },
): ConversationEvent {
  return { type: "said", who, text: cutText(contentText(content), MOST_SAID), message: messageId ?? null };
}

function used(update: ToolCallUpdate): ConversationEvent {
  const { toolCallId: id, title, kind, status, content, rawInput } = update;
  const output = content === null || content === undefined ? undefined : cutText(content.map(toolText).join("\n"), MOST_OUTPUT);
  return {
    type: "used",
    id,
    ...(title ? { title: cutText(commandIn(rawInput) ?? title, MOST_TITLE) } : {}),
    ...(kind ? { tool: kind } : {}),
    ...(status ? { status } : {}),
    ...(output === undefined ? {} : { output }),
  };
}

/** The exact command of a tool that runs one: titles are shortened, or only name the tool. */
export function commandIn(rawInput: unknown): string | null {
  if (typeof rawInput !== "object" || rawInput === null || !("command" in rawInput)) return null;
  const { command } = rawInput;
  if (typeof command === "string") return command === "" ? null : command;
  return Array.isArray(command) && command.every((part) => typeof part === "string") ? command.join(" ") : null;
}

function toolText(content: ToolCallContent): string {
  switch (content.type) {
    case "content":
      return contentText(content.content);
    case "diff":
      return `${content.path}: ${content.oldText ? "changed" : "written"}\n${content.newText}`;
    case "terminal":
      return `terminal ${content.terminalId}`;
  }
}

function contentText(content: ContentBlock): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "resource_link":
      return `[${content.uri}]`;
    case "resource":
      return "text" in content.resource ? content.resource.text : `[${content.resource.uri}]`;
    case "image":
    case "audio":
      return `[${content.type}]`;
  }
}

function planStep({ content, status }: PlanEntry): { content: string; status: PlanEntry["status"] } {
  return { content: cutText(content, MOST_TITLE), status };
}

function whole(count: number): number {
  return Number.isFinite(count) && count > 0 ? Math.floor(count) : 0;
}
