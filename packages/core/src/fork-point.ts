import * as z from "zod";
import { keepUnknown } from "./keep-unknown.js";

/** Where a session's work began: what its changes are compared with. */
export const ForkPoint = keepUnknown({
  /** The full id of the commit; null when the repository had none yet. */
  commit: z.string().nullable(),
  /** The full ref that named it, such as `refs/remotes/origin/main`; null for a bare commit. */
  ref: z.string().nullable(),
  /** The URL of the repository's remote, without credentials; null when it had none. */
  remote: z.string().nullable(),
});
export type ForkPoint = z.infer<typeof ForkPoint>;
