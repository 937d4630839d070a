import * as z from "zod";
import { SessionId, Slug } from "./ids.js";
import { Timestamp } from "./timestamp.js";

/** One answer that can be given. `answerable` is false while it is not known how; `takes_text` asks for words of one's own. */
export const DecisionChoice = z.object({ label: z.string(), answerable: z.boolean(), takes_text: z.boolean() });
export type DecisionChoice = z.infer<typeof DecisionChoice>;

/** A decision that an agent waits for. Answered once, and only while the screen still shows it. */
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

/** How a decision was closed: answered through tmpm, no longer shown (a person answered, or the agent continued), or gone with its program. */
export const DecisionClosing = z.enum(["answered", "moved_on", "ended"]);
export type DecisionClosing = z.infer<typeof DecisionClosing>;

/** What a session asks and asked, as a daemon keeps it for the next one. */
export const KeptDecisions = z.object({
  schema_version: z.literal(1),
  open: Decision.nullable(),
  /** When a hook last reported the open one; null when only the screen did. */
  heard_at: Timestamp.nullable(),
  /** The label of the answer that is being given to it; null while none is. */
  answering: z.string().nullable(),
  /** Newest last. `answer` is the label of what was chosen; null when it is not known. */
  closed: z.array(z.object({ decision: Decision, how: DecisionClosing, answer: z.string().nullable(), at: Timestamp })),
});
export type KeptDecisions = z.infer<typeof KeptDecisions>;

/** What a record says of the decision that is open, in trusty-mpm's two fields: the question, and the answer that is proposed, which is the agent's first. */
export function pendingOf({
  record,
  decision,
}: {
  readonly record: { readonly pending_decision: string | null; readonly proposed_default: string | null };
  readonly decision: Decision | null;
}): { readonly pending_decision: string | null; readonly proposed_default: string | null } {
  const { pending_decision, proposed_default } = record;
  if (decision === null) return { pending_decision, proposed_default };
  return { pending_decision: decision.subject, proposed_default: decision.choices[0]?.label ?? null };
}
