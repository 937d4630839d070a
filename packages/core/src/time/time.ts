import type { SystemTime, Timestamp } from "./timestamp.js";

const DATE = String.raw`(\d{4}-\d{2}-\d{2})`;
const CLOCK = String.raw`((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)`;
const RFC3339 = new RegExp(`^${DATE}[Tt ]${CLOCK}${String.raw`(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d{2}:\d{2})$`}`);

/** Days that exist in every year. */
const EVERY_YEAR = "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))";
const PLAIN_DAY = new RegExp(`^\\d{4}-${EVERY_YEAR}$`);
/** With 0, 3, 6 or 9 fraction digits, without superfluous zeros. */
const FRACTION = "(?:\\.(?:\\d{3}|\\d{6})?(?!000)\\d{3})?";
const PLAIN_TIME = new RegExp(`^\\d{4}-${EVERY_YEAR}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d${FRACTION}Z$`);

/** The longest that `Date` reads exactly. */
const IN_MS = "2026-01-02T03:04:05.678Z";

/** The range of RFC 3339: years 0000 to 9999. */
const MIN_SECS = -62_167_219_200;
const MAX_SECS = 253_402_300_799;

/** RFC 3339 in UTC with `Z` and 0, 3, 6 or 9 fraction digits, as chrono writes it; null for any other text. */
export function normalizeTimestamp(text: string): string | null {
  if (PLAIN_TIME.test(text)) return text;
  const instant = read(text);
  return instant === null ? null : format(instant);
}

/** @throws RangeError outside the years 0000 to 9999 */
export function timestampFromSystemTime(time: SystemTime): Timestamp {
  const carry = Math.floor(time.nanos_since_epoch / 1e9);
  return format({ secs: time.secs_since_epoch + carry, nanos: time.nanos_since_epoch % 1e9 });
}

/** Null for a time before 1970, which serde's `SystemTime` cannot represent. */
export function systemTimeFromTimestamp(timestamp: Timestamp): SystemTime | null {
  const instant = read(timestamp);
  if (instant === null || instant.secs < 0) return null;
  return { secs_since_epoch: instant.secs, nanos_since_epoch: instant.nanos };
}

/** Fractions of a millisecond are dropped. @throws RangeError outside the years 0000 to 9999 */
export function timestampFromMs(ms: number): Timestamp {
  const whole = Math.trunc(ms);
  if (whole >= 0 && whole <= MAX_SECS * 1000) return whole % 1000 === 0 ? `${isoOf(whole).slice(0, 19)}Z` : isoOf(whole);
  const secs = Math.floor(whole / 1000);
  return format({ secs, nanos: (whole - secs * 1000) * 1e6 });
}

export function msFromTimestamp(timestamp: Timestamp): number {
  if (timestamp.length <= IN_MS.length && PLAIN_TIME.test(timestamp)) return Date.parse(timestamp);
  const { secs, nanos } = instantOf(timestamp);
  return secs * 1000 + nanos / 1e6;
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Orders by instant, to the nanosecond. */
export function compareTimestamps(a: Timestamp, b: Timestamp): number {
  const left = instantOf(a);
  const right = instantOf(b);
  return left.secs - right.secs || left.nanos - right.nanos;
}

interface Instant {
  readonly secs: number;
  readonly nanos: number;
}

function instantOf(timestamp: Timestamp): Instant {
  const instant = read(timestamp);
  if (instant === null) throw new TypeError(`not a timestamp: ${timestamp}`);
  return instant;
}

function read(text: string): Instant | null {
  const match = RFC3339.exec(text);
  if (match === null) return null;
  const [, date = "", clock, fraction = "", zone = "Z"] = match;
  if (!isDay(date)) return null;
  const secs = Date.parse(`${date}T${clock}${zone.toUpperCase()}`) / 1000;
  return secs >= MIN_SECS && secs <= MAX_SECS ? { secs, nanos: Number(fraction.padEnd(9, "0")) } : null;
}

/** `Date.parse` alone reads the 30th of February as the 2nd of March. */
function isDay(date: string): boolean {
  if (PLAIN_DAY.test(date)) return true;
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

function format({ secs, nanos }: Instant): string {
  if (!(secs >= MIN_SECS && secs <= MAX_SECS)) throw new RangeError(`RFC 3339 cannot represent ${secs} seconds since 1970`);
  const base = new Date(secs * 1000).toISOString().slice(0, 19);
  if (nanos === 0) return `${base}Z`;
  const nine = String(nanos).padStart(9, "0");
  const digits = nine.endsWith("000000") ? 3 : nine.endsWith("000") ? 6 : 9;
  return `${base}.${nine.slice(0, digits)}Z`;
}
