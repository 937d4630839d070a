import * as z from "zod";
import { SessionId, Slug } from "./ids.js";
import { Receipt } from "./receipt.js";
import { Timestamp } from "./timestamp.js";
import { TURN_REASONS, type TurnReason } from "./turn-reasons.js";

/** `queued`: nothing was typed yet; `delivering`: its text is on its way; `running`: the agent works on it; `ended`: its outcome stands. */
export const TurnState = z.enum(["queued", "delivering", "running", "ended"]);
export type TurnState = z.infer<typeof TurnState>;

/** Every accepted prompt comes to exactly one. `completed`: the agent is ready again, which says nothing of what it did. */
export const TurnOutcome = z.enum(["completed", "cancelled", "failed"]);
export type TurnOutcome = z.infer<typeof TurnOutcome>;

/**
 * Who ended a cancelled turn (zeroclaw 1.1): a client of the API, a stop or restart of its session, or the removal of its session. `superseded` is our extension: a
 * later prompt that was to break off the running turn.
 */
export const CancelCause = z.enum(["client_rpc", "admin_kill", "session_removed", "superseded"]);
export type CancelCause = z.infer<typeof CancelCause>;

/** A file that went with a prompt. `marker` is how the prompt names it. */
export const TurnAttachment = z.looseObject({ ref_id: z.string(), marker: z.string(), size_bytes: z.number().int().nonnegative() });
export type TurnAttachment = z.infer<typeof TurnAttachment>;

/** The longest prompt and final message that a turn keeps, in UTF-16 units. */
export const TURN_TEXT_LENGTH = 65_536;

const reasons = Object.keys(TURN_REASONS) as [TurnReason, ...TurnReason[]];
const time = Timestamp.nullable().default(null);

/** One prompt until the agent is ready again. Its id is that of its send. */
export const Turn = z.object({
  schema_version: z.literal(1).default(1),
  id: SessionId,
  session_id: SessionId,
  project_id: Slug,
  /** Counts the turns of the session from 1, in the order in which they were accepted; never given twice. */
  generation: z.number().int().positive(),
  state: TurnState,
  /** Waits until no other turn of the session runs, also where the agent would take its text for later. */
  one_at_a_time: z.boolean(),
  /** Orders what waits: the smallest is next. */
  place: z.number(),
  /** The client's own key; null without one. */
  key: z.string().nullable(),
  /** The beginning of the text, `TURN_TEXT_LENGTH` at most. */
  prompt: z.string(),
  /** Of the whole text in UTF-8. */
  prompt_bytes: z.number().int().nonnegative(),
  /** SHA-256 of the whole text, in hexadecimal. */
  prompt_digest: z.string(),
  attachments: z.array(TurnAttachment).default([]),
  accepted_at: Timestamp,
  started_at: time,
  ended_at: time,
  outcome: TurnOutcome.nullable().default(null),
  /** Set as soon as the turn is cancelled, also while the agent is still being stopped; null unless its outcome is or will be `cancelled`. */
  cause: CancelCause.nullable().default(null),
  reason: z.enum(reasons).nullable().default(null),
  /** Why it failed, as a code of `ERRORS`; null otherwise. */
  code: z.string().nullable().default(null),
  /** Of a cancelled turn that ran: whether the agent was seen to stop. Null otherwise. */
  confirmed: z.boolean().nullable().default(null),
  /** The agent's last words of the turn, where it keeps a transcript; `TURN_TEXT_LENGTH` at most. */
  final_message: z.string().nullable().default(null),
  /** What the agent says went wrong, or why it is not known what it said; null where its words say all. */
  note: z.string().nullable().default(null),
  /** Tokens of the conversation when the turn ended, where the agent reports it. */
  tokens: z.number().int().nonnegative().nullable().default(null),
  receipt: Receipt.nullable().default(null),
});
export type Turn = z.infer<typeof Turn>;
