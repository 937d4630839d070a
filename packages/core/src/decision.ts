import * as z from "zod";
import { SessionId, Slug } from "./ids.js";
import { Timestamp } from "./timestamp.js";

/** One answer that can be given. `answerable` is false while it is not known how; `takes_text` asks for words of one's own. */
export const DecisionChoice = z.object({ label: z.string(), answerable: z.boolean(), takes_text: z.boolean() });
export type DecisionChoice = z.infer<typeof DecisionChoice>;

/** What an agent waits for somebody to decide. Answered once, and only as long as the screen shows what it showed. */
export const Decision = z.object({
  /** Another one for every time that something is asked, be it the same thing. */
  id: z.string(),
  session_id: SessionId,
  agent: Slug,
  kind: z.enum(["approval", "question"]),
  /** What the agent wants to use, in its own words; null when it does not say. */
  tool: z.string().nullable(),
  /** The exact command, file or question. */
  subject: z.string(),
  choices: z.array(DecisionChoice),
  /** SHA-256 of what the screen shows of it; null until it shows. */
  screen_digest: z.string().nullable(),
  since: Timestamp,
});
export type Decision = z.infer<typeof Decision>;
