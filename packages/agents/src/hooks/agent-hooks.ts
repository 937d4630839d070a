import type { HookPlan, HookRequest } from "./hook-plan.js";
import type { HookReading } from "./hook-reading.js";

/** How an agent reports its events, and their meaning. */
export interface AgentHooks {
  /** The only version of the agent known to trust the hooks without asking; undefined when every version does. */
  readonly trustedBy?: string;
  /** The plan that makes one session report, without changing the user's files; null when it would hide their settings. */
  plan(request: HookRequest): Promise<HookPlan | null>;
  /** Null for an event without meaning, an unknown one, or a malformed one. */
  read(payload: unknown): HookReading | null;
}
