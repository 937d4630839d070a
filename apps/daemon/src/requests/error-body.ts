import { ErrorEnvelope } from "@tmpm/api";
import { isTmpmError, TmpmError, toErrorBody } from "@tmpm/core";

/** The form of an error for storage and responses; unknown errors become INTERNAL. */
export const ErrorBody = ErrorEnvelope.shape.error;
export type ErrorBody = ErrorEnvelope["error"];

export function errorBody(error: unknown): ErrorBody {
  const reported = isTmpmError(error) ? error : new TmpmError("INTERNAL", "the daemon failed to handle the request", { effect: "unknown" });
  const { details, ...body } = toErrorBody(reported);
  return { ...body, details: { ...details } };
}
