import * as z from "zod";
import { Timestamp } from "./timestamp.js";

/** The source of a limit: a hook of the agent, its protocol, or its screen. */
export const LimitSource = z.enum(["hook", "protocol", "screen"]);
export type LimitSource = z.infer<typeof LimitSource>;

/** A usage limit of the model's API that an agent has run into. */
export const UsageLimit = z.object({
  /** In the agent's own words. */
  message: z.string(),
  /** When it resets, as the agent says; null when it does not say. */
  resets_at: Timestamp.nullable(),
  /** Its source; null where that was not recorded. */
  source: LimitSource.nullable().default(null),
});
export type UsageLimit = z.infer<typeof UsageLimit>;

/** An agent that waits this long before it tries again is held up, and does not count as working; in ms. */
export const LONG_WAIT_MS = 60_000;
