const UNITS = [
  { suffix: "d", seconds: 86_400 },
  { suffix: "h", seconds: 3600 },
  { suffix: "m", seconds: 60 },
] as const;

/** A time relative to now: `5m ago`, `in 3d`. */
export function fromNow(timestamp: string, now: number): string {
  const at = Date.parse(timestamp);
  return at > now ? `in ${age(new Date(now).toISOString(), at)}` : `${age(timestamp, now)} ago`;
}

/** The time since a timestamp in its largest whole unit: `3s`, `5m`, `2h`, `4d`. A time in the future is `0s`. */
export function age(timestamp: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(timestamp)) / 1000));
  if (Number.isNaN(seconds)) return "?";
  const unit = UNITS.find((candidate) => seconds >= candidate.seconds);
  return unit === undefined ? `${seconds}s` : `${Math.floor(seconds / unit.seconds)}${unit.suffix}`;
}
