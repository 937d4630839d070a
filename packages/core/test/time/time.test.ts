import {
  compareTimestamps,
  msFromTimestamp,
  normalizeTimestamp,
  type SystemTime,
  systemTimeFromTimestamp,
  Timestamp,
  timestampFromMs,
  timestampFromSystemTime,
} from "@tmpm/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { forAll } from "../for-all.js";

const LAST = 253_402_300_799;
const anyTime = fc.record({
  secs_since_epoch: fc.integer({ min: 0, max: LAST }),
  nanos_since_epoch: fc.oneof(fc.integer({ min: 0, max: 999_999_999 }), fc.constantFrom(0, 1, 120_000_000, 123_456_000)),
});

describe("SystemTime and RFC 3339", () => {
  test("convert to the nanosecond, both ways", () => {
    forAll([anyTime], (time) => {
      expect(systemTimeFromTimestamp(timestampFromSystemTime(time))).toEqual(time);
    });
  });

  test.each([
    [{ secs_since_epoch: 1_700_000_000, nanos_since_epoch: 0 }, "2023-11-14T22:13:20Z"],
    [{ secs_since_epoch: 1_700_000_000, nanos_since_epoch: 120_000_000 }, "2023-11-14T22:13:20.120Z"],
    [{ secs_since_epoch: 1_700_000_000, nanos_since_epoch: 123_456_000 }, "2023-11-14T22:13:20.123456Z"],
    [{ secs_since_epoch: 1_700_000_000, nanos_since_epoch: 123_456_789 }, "2023-11-14T22:13:20.123456789Z"],
    [{ secs_since_epoch: 1_700_000_000, nanos_since_epoch: 2_500_000_000 }, "2023-11-14T22:13:22.500Z"],
    [{ secs_since_epoch: 0, nanos_since_epoch: 1 }, "1970-01-01T00:00:00.000000001Z"],
    [{ secs_since_epoch: LAST, nanos_since_epoch: 0 }, "9999-12-31T23:59:59Z"],
  ])("%j maps to %s: 0, 3, 6 or 9 fraction digits, nanoseconds carried", (time: SystemTime, text) => {
    expect(timestampFromSystemTime(time)).toBe(text);
  });

  test("a time outside RFC 3339 is a RangeError, one before 1970 has no SystemTime", () => {
    expect(() => timestampFromSystemTime({ secs_since_epoch: LAST + 1, nanos_since_epoch: 0 })).toThrow(RangeError);
    expect(() => timestampFromSystemTime({ secs_since_epoch: LAST, nanos_since_epoch: 1_000_000_000 })).toThrow(RangeError);
    expect(() => timestampFromMs(Number.NaN)).toThrow(RangeError);
    expect(systemTimeFromTimestamp("1969-12-31T23:59:59.999Z")).toBeNull();
  });
});

describe("normalizeTimestamp", () => {
  test.each([
    ["2023-11-14T23:13:20+01:00", "2023-11-14T22:13:20Z"],
    ["2023-11-14T22:13:20.5-00:00", "2023-11-14T22:13:20.500Z"],
    ["2023-11-14t22:13:20z", "2023-11-14T22:13:20Z"],
    ["2023-11-14 22:13:20Z", "2023-11-14T22:13:20Z"],
    ["2023-11-14T22:13:20.1234567891Z", "2023-11-14T22:13:20.123456789Z"],
    ["2024-02-29T00:00:00+23:59", "2024-02-28T00:01:00Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"],
    ["0099-06-01T00:00:00Z", "0099-06-01T00:00:00Z"],
    ["9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"],
  ])("reads %s as %s", (text, utc) => {
    expect(normalizeTimestamp(text)).toBe(utc);
  });

  test.each([
    "",
    "now",
    "2023-11-14",
    "2023-11-14T22:13Z",
    "2023-11-14T22:13:20",
    "2023-11-14T22:13:20.Z",
    "2023-02-29T00:00:00Z",
    "2023-02-30T00:00:00Z",
    "2023-04-31T00:00:00Z",
    "2023-13-01T00:00:00Z",
    "2023-00-01T00:00:00Z",
    "2023-01-01T24:00:00Z",
    "2023-01-01T23:59:60Z",
    "2023-01-01T23:60:00Z",
    "2023-01-01T00:00:00+24:00",
    "2023-01-01T00:00:00+0100",
    "10000-01-01T00:00:00Z",
    "0000-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    " 2023-01-01T00:00:00Z",
    "2023-01-01T00:00:00Z\n",
  ])("rejects %j", (text) => {
    expect(normalizeTimestamp(text)).toBeNull();
    expect(Timestamp.safeParse(text).success).toBe(false);
  });

  test("finds the same instant whatever the offset", () => {
    const minutes = fc.integer({ min: -1439, max: 1439 });
    const inner = fc.record({
      secs_since_epoch: fc.integer({ min: 86_400, max: LAST - 86_400 }),
      nanos_since_epoch: fc.integer({ min: 0, max: 999_999_999 }),
    });
    forAll([inner, minutes], (time, offset) => {
      const local = timestampFromSystemTime({ ...time, secs_since_epoch: time.secs_since_epoch + offset * 60 });
      expect(normalizeTimestamp(local.replace("Z", zone(offset)))).toBe(timestampFromSystemTime(time));
    });
  });
});

test("compareTimestamps orders by instant, to the nanosecond and across formats", () => {
  forAll([anyTime, anyTime], (a, b) => {
    const expected = Math.sign(a.secs_since_epoch - b.secs_since_epoch) || Math.sign(a.nanos_since_epoch - b.nanos_since_epoch);
    expect(Math.sign(compareTimestamps(timestampFromSystemTime(a), timestampFromSystemTime(b)))).toBe(expected);
  });
  expect(compareTimestamps("2023-01-01T00:00:00.000000001Z", "2023-01-01T00:00:00Z")).toBeGreaterThan(0);
  expect(compareTimestamps("2023-01-01T00:00:00.5Z", "2023-01-01T00:00:00.500000001Z")).toBeLessThan(0);
  expect(compareTimestamps("2023-01-01T00:00:00Z", "2023-01-01T01:00:00+01:00")).toBe(0);
  expect(() => compareTimestamps("never", "2023-01-01T00:00:00Z")).toThrow(TypeError);
});

test("milliseconds convert to a timestamp and back, also before 1970", () => {
  forAll([fc.integer({ min: -62_167_219_200_000, max: LAST * 1000 })], (ms) => {
    expect(msFromTimestamp(timestampFromMs(ms))).toBe(ms);
  });
  expect(timestampFromMs(-1)).toBe("1969-12-31T23:59:59.999Z");
  expect(timestampFromMs(1.9)).toBe("1970-01-01T00:00:00.001Z");
  expect(() => msFromTimestamp("never")).toThrow(TypeError);
});

describe("the Timestamp schema", () => {
  test("reads any offset and a SystemTime object as UTC", () => {
    expect(Timestamp.parse("2023-11-14T23:13:20+01:00")).toBe("2023-11-14T22:13:20Z");
    expect(Timestamp.parse({ secs_since_epoch: 1_700_000_000, nanos_since_epoch: 120_000_000 })).toBe("2023-11-14T22:13:20.120Z");
  });

  test.each([
    [null],
    [1_700_000_000],
    [{ secs_since_epoch: 1 }],
    [{ secs_since_epoch: -1, nanos_since_epoch: 0 }],
    [{ secs_since_epoch: 1, nanos_since_epoch: 0, extra: 1 }],
    [{ secs_since_epoch: LAST + 1, nanos_since_epoch: 0 }],
    [{ secs_since_epoch: LAST, nanos_since_epoch: 4_000_000_000 }],
  ])("rejects %j with its own error only", (input) => {
    expect(Timestamp.safeParse(input).success).toBe(false);
  });

  test("encodes as servers encode responses", () => {
    expect(z.encode(Timestamp, "2023-11-14T22:13:20Z")).toBe("2023-11-14T22:13:20Z");
  });
});

function zone(offset: number): string {
  const minutes = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
