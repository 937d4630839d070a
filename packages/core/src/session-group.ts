import * as z from "zod";
import { Slug } from "./ids.js";
import { keepUnknown } from "./keep-unknown.js";
import { Timestamp } from "./timestamp.js";

/** What the check of a group's session came to; `failure` is null when it passed. */
export const GroupCheck = keepUnknown({ at: Timestamp, failure: z.string().nullable(), last_lines: z.array(z.string()) });
export type GroupCheck = z.infer<typeof GroupCheck>;

/** The sessions that were given one prompt at once, to be compared. */
export const SessionGroup = keepUnknown({
  name: Slug,
  /** A line for `/bin/sh` that reports whether the work of a session is good; null without one. */
  check: z.string().nullable().default(null),
  /** What it said last; null when it was not run. */
  checked: GroupCheck.nullable().default(null),
});
export type SessionGroup = z.infer<typeof SessionGroup>;
