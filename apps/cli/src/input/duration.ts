import { usageError } from "../parse/usage-error.js";

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `15m`, `12h` or `30d`, in milliseconds. @throws INVALID_ARGUMENT */
export function parseDuration(text: string, flag: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (factor !== undefined && Number(count) > 0) return Number(count) * factor;
  throw usageError(`${flag} takes a duration, not ${JSON.stringify(text)}`, "For example 90s, 15m, 12h or 30d.");
}
