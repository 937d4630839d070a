import * as z from "zod";
import { Slug } from "../id/ids.js";
import { keepUnknown } from "../keep-unknown.js";
import { Timestamp } from "../time/timestamp.js";

/** The result of a group check in one session; `failure` is null when it passed. */
export const GroupCheck = keepUnknown({ at: Timestamp, failure: z.string().nullable(), last_lines: z.array(z.string()) });
export type GroupCheck = z.infer<typeof GroupCheck>;

/** Sessions started with one prompt for comparison. */
export const SessionGroup = keepUnknown({
  name: Slug,
  /** A command for `/bin/sh` that checks a session's work; null without one. */
  check: z.string().nullable().default(null),
  /** Its last result; null when it was not run. */
  checked: GroupCheck.nullable().default(null),
});
export type SessionGroup = z.infer<typeof SessionGroup>;
