import { expect, test } from "vitest";
import { afterLimitLook, type LimitResume, type LimitSeen, timestampFromMs } from "../../src/index.js";

const MINUTE = 60_000;
const RESETS_MS = Date.UTC(2026, 10, 28, 12);
const LIMIT = { message: "limit reached", resets_at: timestampFromMs(RESETS_MS) };
const RULES = { tries: 3, laterMs: 2 * MINUTE };
const SEEN: LimitSeen = { nowMs: RESETS_MS - 180 * MINUTE, limit: LIMIT, rests: true, person: false };

/** Checks once a minute from before the reset on, and returns the minutes after it in which a prompt was sent. */
function sent(of: (minute: number) => Partial<LimitSeen>, minutes = 24 * 60): readonly number[] {
  const sends: number[] = [];
  let plan: LimitResume | null = null;
  for (let minute = -180; minute < minutes; minute++) {
    const nowMs = RESETS_MS + minute * MINUTE;
    const after = afterLimitLook(plan, { seen: { ...SEEN, nowMs, ...of(minute) }, rules: RULES });
    plan = after.plan;
    if (after.send) sends.push(minute);
  }
  return sends;
}

test("a reset limit leads to one prompt, then a limited number at growing intervals", () => {
  expect(sent(() => ({}))).toEqual([2, 34, 96]);
});

test("the count is kept when a limit lifts and returns", () => {
  const again = (minute: number) => ({
    limit: minute % 100 < 50 ? { ...LIMIT, resets_at: timestampFromMs(RESETS_MS + Math.floor(minute / 100) * 100 * MINUTE) } : null,
  });
  expect(sent(again)).toHaveLength(3);
});

test("a user's input stops the prompts, and a later limit starts a new count", () => {
  for (const moment of [-180, -1, 0, 1, 2])
    expect(
      sent((minute) => ({ person: minute === moment })),
      String(moment),
    ).toEqual([]);
  expect(sent((minute) => ({ person: minute === 40 }))).toEqual([2, 34]);
  const later = { ...LIMIT, resets_at: timestampFromMs(RESETS_MS + 300 * MINUTE) };
  expect(sent((minute) => ({ person: minute === 0, limit: minute < 100 ? LIMIT : minute < 200 ? null : later }), 310)).toEqual([302]);
});

test("a busy agent gets no prompt, and an unknown reset is retried after half an hour", () => {
  expect(sent(() => ({ rests: false }))).toEqual([]);
  expect(sent(() => ({ limit: { ...LIMIT, resets_at: null } }))[0]).toBe(-180 + 32);
  expect(sent((minute) => ({ limit: minute < 0 ? LIMIT : null }))).toEqual([]);
});
