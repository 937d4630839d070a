import type { ActivityState } from "@tmpm/core";
import type { Decision } from "../screen/decision.js";
import type { ReadLimit } from "../screen/read-limit.js";

/** The meaning of one event of an agent. Events are edges: they report a change, not the current state. */
export interface HookReading {
  /** The agent's own name of it. */
  readonly event: string;
  /** Null where the event does not report it. */
  readonly conversationId: string | null;
  /** It only happens in the terminal's conversation, never in a sub-conversation of the agent, so it identifies the former. */
  readonly binds: boolean;
  /** A prompt went into execution. */
  readonly prompted: boolean;
  /** With `prompted`: the prompt as the agent received it. Undefined or null when the event does not have it. */
  readonly prompt?: string | null;
  /** The agent's activity from here on; null when the event does not determine it. */
  readonly state: ActivityState | null;
  /** What happened, in words. */
  readonly evidence: string;
  readonly tool: string | null;
  /** The skill that the agent starts with a tool of its own. Undefined or null otherwise. */
  readonly skill?: string | null;
  /**
   * The agent's question, with `state` `awaiting_approval` or `awaiting_input`. Its choices have no keys: the screen does not show it yet.
   */
  readonly decision: Decision | null;
  readonly subagent: { readonly change: "started" | "ended"; readonly id: string } | null;
  /** With `state` `working`: it waits until this time before a retry. Undefined or null otherwise. */
  readonly waits?: ReadLimit | null;
  /** With `state` `errored`: the usage limit that the turn has hit. Undefined or null for other errors. */
  readonly limit?: ReadLimit | null;
  /** Tokens used by the conversation so far, where the event reports it. */
  readonly tokens: number | null;
}
