import * as z from "zod";

/** What became of a send. Only `submitted` was seen to go into execution; `evidence` says what was seen. */
export const SendOutcome = z.enum(["submitted", "typed_not_submitted", "held", "refused", "unconfirmed"]);
export type SendOutcome = z.infer<typeof SendOutcome>;

export const Receipt = z.object({
  outcome: SendOutcome,
  bytes: z.number().int().nonnegative(),
  evidence: z.array(z.string()),
});
export type Receipt = z.infer<typeof Receipt>;
