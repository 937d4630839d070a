import * as z from "zod";
import { Timestamp } from "../time/timestamp.js";
import { UsageLimit } from "../usage/usage-limit.js";

export const ActivityState = z.enum([
  "starting",
  "working",
  "idle",
  "awaiting_approval",
  "awaiting_input",
  "blocked",
  "errored",
  "exited",
  "unknown",
]);
export type ActivityState = z.infer<typeof ActivityState>;

/** Source of a belief: the record itself, the terminal's process, its screen or title, a hook of the agent, or its protocol. */
export const ActivitySource = z.enum(["record", "process", "screen", "title", "hook", "protocol"]);
export type ActivitySource = z.infer<typeof ActivitySource>;

/** The believed activity of the agent. `evidence` lists observations, in words; `confidence` is between 0 and 1. */
export const Activity = z.object({
  state: ActivityState,
  source: ActivitySource,
  confidence: z.number().min(0).max(1),
  since: Timestamp,
  observed_at: Timestamp,
  expires_at: Timestamp.nullable(),
  evidence: z.array(z.string()),
  /** The usage limit that the agent has hit; null when it shows none. */
  limit: UsageLimit.nullable().default(null),
});
export type Activity = z.infer<typeof Activity>;
