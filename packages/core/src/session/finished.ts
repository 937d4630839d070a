import * as z from "zod";
import { keepUnknown } from "../keep-unknown.js";
import { Timestamp } from "../time/timestamp.js";

/** How the work of a session reached its target, and which refs moved. Commits are full ids. */
export const Finished = keepUnknown({
  how: z.enum(["merge", "squash", "rebase"]),
  at: Timestamp,
  /** A directory of the repository. */
  repository: z.string(),
  /** The target, such as `refs/heads/main`, with its previous and new commit. */
  ref: z.string(),
  from: z.string(),
  to: z.string(),
  /** The work tree that had the target checked out and moved along; null without one. */
  checkout: z.string().nullable(),
  /** The directory that the workspace was made from; null when unknown. */
  started_in: z.string().nullable().default(null),
  /** The commit that was merged. */
  source: z.string(),
  /** Its workspace stayed, and the session was removed later: the undo of that removal leaves the target where it is. */
  removed_later: z.boolean().optional(),
});
export type Finished = z.infer<typeof Finished>;
