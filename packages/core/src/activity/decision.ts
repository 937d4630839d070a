import * as z from "zod";
import { SessionId, Slug } from "../id/ids.js";
import { Timestamp } from "../time/timestamp.js";

/** One possible answer. `answerable` is false while its keys are unknown; `takes_text` prompts for the user's own text. */
export const DecisionChoice = z.object({ label: z.string(), answerable: z.boolean(), takes_text: z.boolean() });
export type DecisionChoice = z.infer<typeof DecisionChoice>;

/** A decision that an agent waits for. Answered once, and only while the screen still shows it. */
export const Decision = z.object({
  /** Unique for each request, also for repeated ones. */
  id: z.string(),
  session_id: SessionId,
  agent: Slug,
  kind: z.enum(["approval", "question"]),
  /** The tool that the agent wants to use, in its own words; null when unknown. */
  tool: z.string().nullable(),
  /** The exact command, file or question. */
  subject: z.string(),
  choices: z.array(DecisionChoice),
  /** SHA-256 of its text on the screen; null until it appears. */
  screen_digest: z.string().nullable(),
  since: Timestamp,
});
export type Decision = z.infer<typeof Decision>;

/**
 * How a decision was closed: answered through tmpm, no longer shown (a user answered, or the agent continued), or gone with its program.
 */
export const DecisionClosing = z.enum(["answered", "moved_on", "ended"]);
export type DecisionClosing = z.infer<typeof DecisionClosing>;

/** A session's open and past decisions, as a daemon saves them for the next one. */
export const KeptDecisions = z.object({
  schema_version: z.literal(1),
  open: Decision.nullable(),
  /** When a hook last reported the open one; null when only the screen did. */
  heard_at: Timestamp.nullable(),
  /** The label of the answer that is being given; null without one. */
  answering: z.string().nullable(),
  /** Newest last. `answer` is the label of the chosen option; null when unknown. */
  closed: z.array(z.object({ decision: Decision, how: DecisionClosing, answer: z.string().nullable(), at: Timestamp })),
});
export type KeptDecisions = z.infer<typeof KeptDecisions>;

/** The open decision in trusty-mpm's two record fields: the question, and the proposed answer, which is the agent's first. */
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
