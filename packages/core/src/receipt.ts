import * as z from "zod";
import { SEND_REASONS, type SendReason } from "./send-reasons.js";

/** What became of a send. Only `submitted` was seen to go into execution; `evidence` says what was seen. */
export const SendOutcome = z.enum(["submitted", "typed_not_submitted", "held", "refused", "unconfirmed"]);
export type SendOutcome = z.infer<typeof SendOutcome>;

const reasons = Object.keys(SEND_REASONS) as [SendReason, ...SendReason[]];

export const Receipt = z.object({
  /** What `GET /v1/sessions/:session/sends/:send` takes; null for a prompt that no send carried. */
  id: z.string().nullable().default(null),
  outcome: SendOutcome,
  reason: z.enum(reasons).default("nothing_seen"),
  /** Of the text as it was sent, in UTF-8. */
  bytes: z.number().int().nonnegative(),
  evidence: z.array(z.string()),
  /** What is not byte for byte as it was sent; null when all is. */
  altered: z.string().nullable().default(null),
  /** What a person should do; null when nothing. */
  hint: z.string().nullable().default(null),
});
export type Receipt = z.infer<typeof Receipt>;
