const DAY_MIN = 24 * 60;
const MIN_MS = 60_000;

/** Remaining quiet time in ms; 0 outside the hours. Hours are local, such as `22:00-07:30`; the same time twice means all day. */
export function quietFor(hours: string | null, now: Date): number {
  const [, from = 0, to = 0] = hours === null ? [] : [0, ...hours.split("-").map(minutes)];
  if (hours === null) return 0;
  const minute = now.getHours() * 60 + now.getMinutes();
  const length = (to - from + DAY_MIN) % DAY_MIN || DAY_MIN;
  const into = (minute - from + DAY_MIN) % DAY_MIN;
  return into < length ? (length - into) * MIN_MS - now.getSeconds() * 1000 - now.getMilliseconds() : 0;
}

function minutes(time: string): number {
  const [hours = 0, rest = 0] = time.split(":").map(Number);
  return hours * 60 + rest;
}
