export { durationIn, limitIn, momentIn, type ReadLimit } from "@tmpm/core";

/** The hint for a limit when the agent's input accepts text again. */
export const LIMIT_HINT = "A usage limit of the model's API was reached; send again once it has reset, or choose another model.";
