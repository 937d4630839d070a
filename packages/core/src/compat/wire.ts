import * as z from "zod";
import { SessionId } from "../id/ids.js";
import { normalizeUuid } from "../id/uuid.js";
import { systemTimeFromTimestamp } from "../time/time.js";
import { SystemTime, Timestamp } from "../time/timestamp.js";

/** A UUID in any of the forms that serde reads. */
export const Uuid = z.codec(z.string(), SessionId, { decode: (text) => normalizeUuid(text) ?? text, encode: (id) => id });

/** `SystemTime` there, RFC 3339 here. */
export const SerdeTime = z.codec(SystemTime, Timestamp, {
  decode: (time) => time,
  encode: (time, context) => {
    const written = typeof time === "string" ? systemTimeFromTimestamp(time) : time;
    if (written !== null) return written;
    context.issues.push({ code: "custom", message: "SystemTime cannot represent a time before 1970", input: time });
    return z.NEVER;
  },
});

export const U32 = z.number().int().min(0).max(4_294_967_295);
/** A count within the exact range of a number. */
export const U64 = z.number().int().nonnegative();

/** serde's `Option`: null or absent is none. */
export function option<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().default(null);
}
