import type { ActivityState } from "@tmpm/core";
import type { Decision } from "../screen/decision.js";
import type { ReadLimit } from "../screen/read-limit.js";

/** What one event of an agent says. Events are edges: they report that something happened, not what is so now. */
export interface HookReading {
  /** The agent's own name of it. */
  readonly event: string;
  /** Null where the event does not report it. */
  readonly conversationId: string | null;
  /** It only happens in the conversation of the terminal, never in one that the agent holds with itself, so it reports which that is. */
  readonly binds: boolean;
  /** A prompt went into execution. */
  readonly prompted: boolean;
  /** With `prompted`: the prompt as the agent took it. Absent or null where the event does not report it. */
  readonly prompt?: string | null;
  /** What the agent does from here on; null when the event says nothing of it. */
  readonly state: ActivityState | null;
  /** What happened, in words. */
  readonly evidence: string;
  readonly tool: string | null;
  /** The skill that the agent takes up by a tool of its own. Absent or null when it does not. */
  readonly skill?: string | null;
  /** What the agent asks, with `state` `awaiting_approval` or `awaiting_input`. Its choices carry no keys: the screen does not show it yet. */
  readonly decision: Decision | null;
  readonly subagent: { readonly change: "started" | "ended"; readonly id: string } | null;
  /** With `state` `working`: it waits before it tries again, until the moment given. Absent or null when it does not. */
  readonly waits?: ReadLimit | null;
  /** With `state` `errored`: the usage limit that the turn has run into. Absent or null when it was something else. */
  readonly limit?: ReadLimit | null;
  /** Tokens used by the conversation so far, where the event reports it. */
  readonly tokens: number | null;
}
