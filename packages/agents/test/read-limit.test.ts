import { expect, test } from "vitest";
import { durationIn, limitIn, momentIn } from "../src/screen/read-limit.js";

/** Local time: half past nine in the evening. */
const NOW = new Date(2026, 10, 28, 21, 30, 20).getTime();
const local = (day: number, hour: number, minute: number) => new Date(2026, 10, day, hour, minute).getTime();

test.each<[string, number | null]>([
  ["try again at Nov 29th, 2026 12:14 AM.", local(29, 0, 14)],
  ["try again at 11:05 PM.", local(28, 23, 5)],
  ["try again at 9:30 PM.", local(28, 21, 30)],
  ["Access resets at 12:14\u202fAM.", local(29, 0, 14)],
  ["limit reached, resets 3pm", local(29, 15, 0)],
  ["limit reached, resets 3pm (Somewhere/Else)", local(29, 15, 0)],
  ["You've hit your weekly limit · resets Dec 3 at 7pm", new Date(2026, 11, 3, 19, 0).getTime()],
  ["resets Dec 6, 1pm", new Date(2026, 11, 6, 13, 0).getTime()],
  ["resets Jan 2 at 7am", new Date(2027, 0, 2, 7, 0).getTime()],
  ["resets Nov 27 at 7am", local(27, 7, 0)],
  ["try again later", null],
  ["5 amps", null],
])("%j is a local time", (text, moment) => {
  expect(momentIn(text, NOW)).toBe(moment);
});

test("honours a named zone, and a time is at most a day away", () => {
  const moment = momentIn("Access resets at 12:14 AM UTC.", NOW) ?? 0;
  expect(new Date(moment).toISOString()).toMatch(/T00:14:00\.000Z$/);
  expect(moment - NOW).toBeGreaterThan(-60_000);
  expect(moment - NOW).toBeLessThanOrEqual(86_400_000);
});

test.each([
  ["resets Dec 3 at 7pm (UTC)", "2026-12-03T19:00:00.000Z"],
  ["resets Dec 3 at 7:30pm (Europe/Paris)", "2026-12-03T18:30:00.000Z"],
  ["resets Dec 3 at 7pm (America/Bogota)", "2026-12-04T00:00:00.000Z"],
  ["resets Dec 3 at 12am (Asia/Kolkata)", "2026-12-02T18:30:00.000Z"],
])("%j is the time of that place", (text, moment) => {
  expect(new Date(momentIn(text, NOW) ?? 0).toISOString()).toBe(moment);
});

test.each([
  ["2h 59m", 10_740_000],
  ["45s", 45_000],
  ["~2 days", 172_800_000],
  ["attempt 3", null],
  ["", null],
] as const)("%j is a duration", (text, ms) => {
  expect(durationIn(text)).toBe(ms);
});

test("recognizes a limit by its words, with the reset if given", () => {
  expect(limitIn("Rate limit reached for m.\n Please try again in 10800s.", NOW)).toEqual({
    message: "Rate limit reached for m. Please try again in 10800s.",
    resetsAtMs: NOW + 10_800_000,
  });
  expect(limitIn("You exceeded your current quota, please check your plan.", NOW)).toMatchObject({ resetsAtMs: null });
  expect(limitIn("Please try again in 20s: rate limit", undefined)).toMatchObject({ resetsAtMs: null });
  expect(limitIn("You've hit your Opus weekly limit · resets Dec 3 at 7pm", NOW)).not.toBeNull();
  expect(limitIn("mock 400", NOW)).toBeNull();
});
