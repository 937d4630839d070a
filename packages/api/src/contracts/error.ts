import { ERRORS, type ErrorCode } from "@tmpm/core";
import * as z from "zod";

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The common error envelope. `effect` states whether the request may have taken effect; automatic retries are safe only with `none`. */
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
