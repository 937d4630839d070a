import { ERRORS, type ErrorCode } from "@tmpm/core";
import * as z from "zod";

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The one error envelope. `effect` says whether the request may have had its effect; only `none` is retried without asking. */
export const ErrorEnvelope = z.object({
  error: z.object({
    code: z.enum(codes),
    message: z.string(),
    hint: z.string().nullable(),
    effect: z.enum(["none", "unknown"]),
    details: z.record(z.string(), z.unknown()),
  }),
});
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;
