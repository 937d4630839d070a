const UNITS = [
  { suffix: "d", seconds: 86_400 },
  { suffix: "h", seconds: 3600 },
  { suffix: "m", seconds: 60 },
] as const;

/** The time since a timestamp in its largest whole unit, as `tmpm ls` shows it: `3s`, `5m`, `2h`, `4d`. */
export function age(timestamp: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(timestamp)) / 1000));
  if (Number.isNaN(seconds)) return "?";
  const unit = UNITS.find((candidate) => seconds >= candidate.seconds);
  return unit === undefined ? `${seconds}s` : `${Math.floor(seconds / unit.seconds)}${unit.suffix}`;
}

/** Time until a displayed age can next change, in ms: seconds are shown only in the first minute. */
export function nextTick(since: readonly string[], now: number): number {
  return since.some((each) => now - Date.parse(each) < 60_000) ? 1_000 : 15_000;
}
