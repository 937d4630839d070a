/** A usage limit of the model's API, as an agent reports it on its screen, by a hook or over its protocol. */
export interface ReadLimit {
  /** In the agent's own words. */
  readonly message: string;
  /** When it resets, in milliseconds since 1970; null when the agent does not report it in a known form. */
  readonly resetsAtMs: number | null;
}

const DAY_MS = 86_400_000;
const MOMENT =
  /(?:\b(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\d{4}))?(?:,| at)? )?\b(?<hour>\d{1,2})(?::(?<minute>\d{2}))?\s?(?<half>[AaPp])[Mm]\b(?: (?:\((?<place>[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*)\)|(?<zone>[A-Z]{2,5}(?:[+-]\d{1,2}(?::\d{2})?)?)\b))?/u;

/**
 * The first time in a text: `3:04 PM`, `3pm (Europe/Paris)`, `12:14 AM UTC`, `Dec 3 at 7pm`, `Nov 29th, 2026 12:14 AM`. Without a zone it is
 * local; without a day, the next such time; without a year, the nearest. Null without any.
 */
export function momentIn(text: string, nowMs: number | undefined): number | null {
  const { month, day, year, hour, minute = "00", half, place, zone = place } = MOMENT.exec(text)?.groups ?? {};
  if (hour === undefined || half === undefined) return null;
  const clock = `${hour}:${minute} ${half.toUpperCase()}M`;
  if (month !== undefined && year !== undefined) return parsed(`${month} ${day}, ${year} ${clock}`, zone);
  if (nowMs === undefined) return null;
  if (month === undefined) return nextTime(clock, { zone, nowMs });
  const thisYear = new Date(nowMs).getFullYear();
  const moments = [thisYear - 1, thisYear, thisYear + 1].map((each) => parsed(`${month} ${day}, ${each} ${clock}`, zone));
  const known = moments.filter((each) => each !== null);
  return known.sort((one, other) => Math.abs(one - nowMs) - Math.abs(other - nowMs))[0] ?? null;
}

function nextTime(clock: string, { zone, nowMs }: { readonly zone: string | undefined; readonly nowMs: number }): number | null {
  const today = new Date(nowMs).toLocaleDateString("en-US", { month: "short", day: "numeric", year: "numeric" });
  const atMs = parsed(`${today} ${clock}`, zone);
  if (atMs === null) return null;
  // The screen shows whole minutes, and a zone may be a day ahead of or behind the local one.
  const days = Math.ceil((nowMs - 60_000 - atMs) / DAY_MS);
  return atMs + days * DAY_MS;
}

/** The zone is an abbreviation, or a name of the IANA database. An unknown one counts as local. */
function parsed(moment: string, zone: string | undefined): number | null {
  const inZone = zone === undefined ? Number.NaN : Date.parse(`${moment} ${zone}`);
  if (!Number.isNaN(inZone)) return inZone;
  const ms = (zone === undefined ? null : inPlace(moment, zone)) ?? Date.parse(moment);
  return Number.isNaN(ms) ? null : ms;
}

/** The wall time of a place; null for an unknown one. */
function inPlace(moment: string, place: string): number | null {
  const asUtc = Date.parse(`${moment} UTC`);
  try {
    const clock = new Intl.DateTimeFormat("en-US", { timeZone: place, dateStyle: "short", timeStyle: "long", hourCycle: "h23" });
    const aheadMs = (atMs: number) => Date.parse(`${clock.format(atMs).replace(/:(\d\d) .*$/u, ":$1")} UTC`) - atMs;
    // The second time, the offset is that of the moment itself.
    return asUtc - aheadMs(asUtc - aheadMs(asUtc));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const UNITS: Readonly<Record<string, number>> = { w: 7 * DAY_MS, d: DAY_MS, h: 3_600_000, m: 60_000, s: 1_000 };

/** The duration in a text such as `2h 59m`, `45s` or `~2 days`, in ms; null without one. */
export function durationIn(text: string): number | null {
  const parts = [...text.matchAll(/(\d+)\s?(w|d|h|m|s)(?:eeks?|ays?|ours?|inutes?|econds?)?\b/gu)];
  if (parts.length === 0) return null;
  return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}

const LIMITED =
  /\busage limit|\brate limit|\blimit reached|\bhit your (?:\S+ ){0,3}limit|\bquota exceeded|\b(?:exceeded|exhausted) your (?:\S+ )?quota|\bRequest rejected \(429\)/iu;

/** The limit in an agent's error message; null for other errors. */
export function limitIn(message: string, nowMs: number | undefined): ReadLimit | null {
  if (!LIMITED.test(message)) return null;
  const words = message.replace(/\s+/gu, " ").trim();
  const ahead = /\b(?:try again|retry|resets?) in ((?:~?\d+\s?[a-z]+\s?)+)/iu.exec(words)?.[1];
  const waitMs = ahead === undefined ? null : durationIn(ahead);
  const resetsAtMs = waitMs === null || nowMs === undefined ? momentIn(words, nowMs) : nowMs + waitMs;
  return { message: words, resetsAtMs };
}
