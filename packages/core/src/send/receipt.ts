import * as z from "zod";
import { SEND_REASONS, type SendReason } from "./send-reasons.js";

/** The outcome of a send. Only `submitted` was seen to be executed; `evidence` lists the observations. */
export const SendOutcome = z.enum(["submitted", "typed_not_submitted", "held", "refused", "unconfirmed"]);
export type SendOutcome = z.infer<typeof SendOutcome>;

const reasons = Object.keys(SEND_REASONS) as [SendReason, ...SendReason[]];

export const Receipt = z.object({
  /** The id for `GET /v1/sessions/:session/sends/:send`; null for a prompt without a send. */
  id: z.string().nullable().default(null),
  outcome: SendOutcome,
  reason: z.enum(reasons).default("nothing_seen"),
  /** Size of the text as sent, in UTF-8 bytes. */
  bytes: z.number().int().nonnegative(),
  evidence: z.array(z.string()),
  /** Differences from the text as sent; null without any. */
  altered: z.string().nullable().default(null),
  /** A hint for the user; null without one. */
  hint: z.string().nullable().default(null),
});
export type Receipt = z.infer<typeof Receipt>;
