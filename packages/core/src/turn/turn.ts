import * as z from "zod";
import { SessionId, Slug } from "../id/ids.js";
import { Receipt } from "../send/receipt.js";
import { Timestamp } from "../time/timestamp.js";
import { TURN_REASONS, type TurnReason } from "./turn-reasons.js";

/**
 * `queued`: nothing was typed yet; `delivering`: its text is being typed; `running`: the agent works on it; `ended`: its outcome is final.
 */
export const TurnState = z.enum(["queued", "delivering", "running", "ended"]);
export type TurnState = z.infer<typeof TurnState>;

/** The outcome of every accepted prompt, exactly one. `completed`: the agent is ready again, regardless of the result. */
export const TurnOutcome = z.enum(["completed", "cancelled", "failed"]);
export type TurnOutcome = z.infer<typeof TurnOutcome>;

/**
 * Causes of a cancellation (zeroclaw 1.1): a client of the API, a stop or restart of its session, or the removal of its session.
 * `superseded` is our extension: a later, interrupting prompt.
 */
export const CancelCause = z.enum(["client_rpc", "admin_kill", "session_removed", "superseded"]);
export type CancelCause = z.infer<typeof CancelCause>;

/** A file attached to a prompt. `marker` is its mention in the prompt. */
export const TurnAttachment = z.looseObject({ ref_id: z.string(), marker: z.string(), size_bytes: z.number().int().nonnegative() });
export type TurnAttachment = z.infer<typeof TurnAttachment>;

/** Maximum length of the stored prompt and final message, in UTF-16 units. */
export const TURN_TEXT_LENGTH = 65_536;

const reasons = Object.keys(TURN_REASONS) as [TurnReason, ...TurnReason[]];
const time = Timestamp.nullable().default(null);

/** One prompt until the agent is ready again. Its id is that of its send. */
export const Turn = z.object({
  schema_version: z.literal(1).default(1),
  id: SessionId,
  session_id: SessionId,
  project_id: Slug,
  /** Counts the turns of the session from 1, in order of acceptance; never reused. */
  generation: z.number().int().positive(),
  state: TurnState,
  /** Waits until no other turn of the session runs, even if the agent would queue its text. */
  one_at_a_time: z.boolean(),
  /** Order of waiting turns: the smallest is next. */
  place: z.number(),
  /** The client's own key; null without one. */
  key: z.string().nullable(),
  /** The beginning of the text, at most `TURN_TEXT_LENGTH`. */
  prompt: z.string(),
  /** Size of the whole text in UTF-8 bytes. */
  prompt_bytes: z.number().int().nonnegative(),
  /** SHA-256 of the whole text, in hexadecimal. */
  prompt_digest: z.string(),
  attachments: z.array(TurnAttachment).default([]),
  accepted_at: Timestamp,
  started_at: time,
  ended_at: time,
  outcome: TurnOutcome.nullable().default(null),
  /**
   * Set as soon as the turn is cancelled, also while the agent is still being stopped; null unless its outcome is or will be `cancelled`.
   */
  cause: CancelCause.nullable().default(null),
  reason: z.enum(reasons).nullable().default(null),
  /** Why it failed, as a code of `ERRORS`; null otherwise. */
  code: z.string().nullable().default(null),
  /** For a cancelled turn that ran: whether the agent was seen to stop. Null otherwise. */
  confirmed: z.boolean().nullable().default(null),
  /** The agent's final message of the turn, where it keeps a transcript; at most `TURN_TEXT_LENGTH`. */
  final_message: z.string().nullable().default(null),
  /** The agent's error, or why its message is unknown; null otherwise. */
  note: z.string().nullable().default(null),
  /** Tokens of the conversation when the turn ended, where the agent reports it. */
  tokens: z.number().int().nonnegative().nullable().default(null),
  receipt: Receipt.nullable().default(null),
});
export type Turn = z.infer<typeof Turn>;
