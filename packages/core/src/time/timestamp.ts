import * as z from "zod";
import { normalizeTimestamp, timestampFromSystemTime } from "./time.js";

/** Rust's `SystemTime` as serde writes it: seconds and nanoseconds since 1970; nanoseconds beyond a second carry. */
export const SystemTime = z.strictObject({
  secs_since_epoch: z.number().int().nonnegative(),
  nanos_since_epoch: z.number().int().nonnegative().max(4_294_967_295),
});
export type SystemTime = z.infer<typeof SystemTime>;

const Written = z.union([z.string(), SystemTime]);
const Utc = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3}|\.\d{6}|\.\d{9})?Z$/, "not an RFC 3339 time");

/** RFC 3339 text with any offset, as chrono writes it; in UTC once parsed. */
export const Rfc3339 = z.codec(z.string(), Utc, { decode: toUtc, encode: (text) => text });

/** A time in our documents: RFC 3339 in UTC, ending in `Z`. Reads any offset, and serde's `SystemTime` object. */
export const Timestamp = z.codec(Written, Utc, { decode: toUtc, encode: (text) => text });
export type Timestamp = string;

/** A time that defaults to `now`. Without a JSON Schema `default`, which would be the time of its creation. */
export function timestampOr(now: () => Timestamp) {
  return z.codec(Written.optional(), Utc, {
    decode: (input, context) => (input === undefined ? now() : toUtc(input, context)),
    encode: (text) => text,
  });
}

function toUtc(input: z.infer<typeof Written>, context: z.core.ParsePayload): string {
  try {
    const text = typeof input === "string" ? normalizeTimestamp(input) : timestampFromSystemTime(input);
    if (text !== null) return text;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  context.issues.push({ code: "custom", message: "not a time that RFC 3339 can represent", input });
  return z.NEVER;
}
