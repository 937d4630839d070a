import { limitIn, type ReadLimit } from "@tmpm/core";
import type { ConversationEvent } from "./event.js";
import { type AskedDecision, decisionOf } from "./reading.js";

/** An event as a hook of the agent would report it. */
export interface ConversationEdge {
  readonly event: string;
  readonly conversationId: string | null;
  readonly binds: boolean;
  readonly prompted: boolean;
  readonly state: "working" | "idle" | "awaiting_approval" | "blocked" | "errored" | null;
  readonly evidence: string;
  readonly tool: string | null;
  readonly decision: AskedDecision | null;
  readonly subagent: null;
  readonly tokens: number | null;
  /** With `state` `errored`: the usage limit that the turn has reached; null for another error. */
  readonly limit: ReadLimit | null;
}

/**
 * Null for partial messages, and for events without effect on waiting callers. `more`: other pending requests; `atMs`: the time of the
 * event.
 */
export function edgeOf(
  event: ConversationEvent,
  { more, atMs }: { readonly more: boolean; readonly atMs: number },
): ConversationEdge | null {
  switch (event.type) {
    case "opened":
      return { ...edge("session/new", "idle", "its conversation is open"), conversationId: event.conversation_id, binds: true };
    case "failed":
      return edge("session/new", "blocked", event.message);
    case "prompted":
      return { ...edge("session/prompt", "working", "it was given a prompt"), prompted: true };
    case "refused":
      return edge("session/prompt", "idle", `it refused a prompt: ${event.reason}`);
    case "ended":
      return edge("session/prompt", "idle", `its turn ended: ${event.stop}`);
    case "broke":
      return {
        ...edge("session/prompt", "errored", `its turn ended with an error: ${event.message}`),
        limit: limitIn(event.message, atMs),
      };
    case "asked":
      return {
        ...edge("session/request_permission", "awaiting_approval", `it requests permission: ${event.request.subject}`),
        tool: event.request.tool,
        decision: decisionOf(event.request),
      };
    case "answered":
      return edge(
        "session/request_permission",
        more ? null : "working",
        event.label === null ? "its request was withdrawn" : `answered: ${event.label}`,
      );
    case "used":
      return event.title === undefined ? null : { ...edge("tool_call", null, `it uses ${event.title}`), tool: event.tool ?? null };
    case "counted":
      return { ...edge("usage_update", null, `its context holds ${event.tokens} tokens`), tokens: event.tokens };
    default:
      return null;
  }
}

/** Reports an open conversation again, for a daemon that missed its opening. */
export function heldEdge(conversationId: string): ConversationEdge {
  return { ...edge("session/new", null, "its conversation is open"), conversationId, binds: true };
}

function edge(event: string, state: ConversationEdge["state"], evidence: string): ConversationEdge {
  return {
    event,
    state,
    evidence,
    conversationId: null,
    binds: false,
    prompted: false,
    tool: null,
    decision: null,
    subagent: null,
    tokens: null,
    limit: null,
  };
}
