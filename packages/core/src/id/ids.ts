import * as z from "zod";
import { SLUG_PATTERN } from "./slug.js";
import { UUID_PATTERN } from "./uuid.js";

/** A session's id: a UUID in lower case with hyphens. New ones are version 4, so that a short prefix distinguishes sessions. */
export const SessionId = z.string().regex(UUID_PATTERN, "not a UUID");
export type SessionId = z.infer<typeof SessionId>;

/** A name or project id: see `SLUG_PATTERN`. */
export const Slug = z.string().regex(SLUG_PATTERN, "use 1-63 ASCII letters, digits, - and _, beginning with a letter or digit");
export type Slug = z.infer<typeof Slug>;
