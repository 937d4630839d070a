import type { HookPlan, HookRequest } from "./hook-plan.js";
import type { HookReading } from "./hook-reading.js";

/** How an agent reports its events, and what they mean. */
export interface AgentHooks {
  /** The one version of the agent that is known to trust the hooks unasked; absent where every version does. */
  readonly trustedBy?: string;
  /** How one session is asked to report, without touching the user's files; null when that would hide settings of theirs. */
  plan(request: HookRequest): Promise<HookPlan | null>;
  /** Null for an event that says nothing, is not known, or is malformed. */
  read(payload: unknown): HookReading | null;
}
