import * as z from "zod";

/** Rust's `SystemTime` as serde writes it: seconds and nanoseconds since 1970. */
export const SystemTime = z.strictObject({
  secs_since_epoch: z.number().int().nonnegative(),
  nanos_since_epoch: z.number().int().nonnegative().max(4_294_967_295),
});
export type SystemTime = z.infer<typeof SystemTime>;

/** RFC 3339 in UTC, ending in `Z`. */
export type Timestamp = string;

const RFC3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d{2}:\d{2})$/;

function format(secs: number, nanos: number): string {
  const base = new Date(secs * 1000).toISOString().slice(0, 19);
  if (nanos === 0) return `${base}Z`;
  const nine = String(nanos).padStart(9, "0");
  const digits = nine.endsWith("000000") ? 3 : nine.endsWith("000") ? 6 : 9;
  return `${base}.${nine.slice(0, digits)}Z`;
}

function split(text: string): { secs: number; nanos: number } | null {
  const match = RFC3339.exec(text);
  if (match === null) return null;
  const [, date, clock, fraction = "", zone = "Z"] = match;
  const ms = Date.parse(`${date}T${clock}${zone.toUpperCase()}`);
  if (Number.isNaN(ms)) return null;
  return { secs: ms / 1000, nanos: Number(fraction.padEnd(9, "0")) };
}

/** RFC 3339 in UTC with `Z` and 0, 3, 6 or 9 fraction digits, as chrono writes it; null when the text is no such time. */
export function normalizeTimestamp(text: string): string | null {
  const parts = split(text);
  return parts === null ? null : format(parts.secs, parts.nanos);
}

/** @throws RangeError when the seconds lie outside the years that RFC 3339 can write */
export function timestampFromSystemTime(time: SystemTime): Timestamp {
  const carry = Math.floor(time.nanos_since_epoch / 1e9);
  return format(time.secs_since_epoch + carry, time.nanos_since_epoch % 1e9);
}

/** Null for a time before 1970, which serde's `SystemTime` cannot write. */
export function systemTimeFromTimestamp(timestamp: Timestamp): SystemTime | null {
  const parts = split(timestamp);
  if (parts === null || parts.secs < 0) return null;
  return { secs_since_epoch: parts.secs, nanos_since_epoch: parts.nanos };
}

export function timestampFromMs(ms: number): Timestamp {
  const whole = Math.trunc(ms);
  const secs = Math.floor(whole / 1000);
  return format(secs, (whole - secs * 1000) * 1e6);
}

export function msFromTimestamp(timestamp: Timestamp): number {
  const parts = split(timestamp);
  if (parts === null) throw new TypeError(`not a timestamp: ${timestamp}`);
  return parts.secs * 1000 + parts.nanos / 1e6;
}

/** Orders by instant, to the nanosecond. */
export function compareTimestamps(a: Timestamp, b: Timestamp): number {
  const left = split(a);
  const right = split(b);
  if (left === null || right === null) return a < b ? -1 : a > b ? 1 : 0;
  return left.secs - right.secs || left.nanos - right.nanos;
}

const MAX_SECS = 253_402_300_799;

/** A time in our documents: RFC 3339 in UTC. Reads any offset, and serde's `SystemTime` object. */
export const Timestamp = z.preprocess(
  (input) => {
    if (typeof input === "string") return normalizeTimestamp(input) ?? input;
    const time = SystemTime.safeParse(input);
    return time.success && time.data.secs_since_epoch <= MAX_SECS ? timestampFromSystemTime(time.data) : input;
  },
  z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3}|\.\d{6}|\.\d{9})?Z$/, "not an RFC 3339 time"),
);
