import * as z from "zod";
import { keepUnknown } from "../keep-unknown.js";

/** The start of a session's work: the base of its changes. */
export const ForkPoint = keepUnknown({
  /** The full commit id; null when the repository had none yet. */
  commit: z.string().nullable(),
  /** The full ref that it was resolved from, such as `refs/remotes/origin/main`; null for a bare commit. */
  ref: z.string().nullable(),
  /** The URL of the repository's remote, without credentials; null when it had none. */
  remote: z.string().nullable(),
});
export type ForkPoint = z.infer<typeof ForkPoint>;
