import * as z from "zod";
import { Timestamp } from "../time/timestamp.js";

/** The source of a limit: a hook of the agent, its protocol, or its screen. */
export const LimitSource = z.enum(["hook", "protocol", "screen"]);
export type LimitSource = z.infer<typeof LimitSource>;

/** A usage limit of the model's API that an agent has hit. */
export const UsageLimit = z.object({
  /** In the agent's own words. */
  message: z.string(),
  /** When it resets, as the agent reports; null when unknown. */
  resets_at: Timestamp.nullable(),
  /** Its source; null when it was not recorded. */
  source: LimitSource.nullable().default(null),
});
export type UsageLimit = z.infer<typeof UsageLimit>;

/** An agent that waits this long before a retry is blocked, not working; in ms. */
export const LONG_WAIT_MS = 60_000;
