import { isCanonicalRecord, SessionRecord } from "@tmpm/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aRecord, ID } from "../a-record.js";

const seed = Number(process.env.TMPM_TEST_SEED ?? "1");
const at = "2026-01-02T03:04:05.678Z";

/** A record with a value in every field. */
const FULL = aRecord({
  pane: { socket: "/s", server_pid: 1, server_start: 0, pane_id: "%1" },
  pid: 7,
  intent: { op: "create", step: "s", key: "k", at },
  stop_cause: "unexpected",
  exit: { status: 1, signal: null, at },
  last_lines: ["a", "b"],
  last_error: { code: "INTERNAL", message: "m", at },
  cost: { input_tokens: 1, output_tokens: 2, cache_read_tokens: 3, cache_creation_tokens: 4, cost_usd: 0.5 },
  agent_config: { argv: ["a"], model: "m", search_path: "/bin", effort: "high" },
  correlation: { worktree: "w", branch: "b", pr_id: 1, issue_id: 2 },
  spawned_by: ID,
  launched_at: at,
});

function documentOf(record: SessionRecord): Record<string, unknown> {
  return JSON.parse(JSON.stringify(record));
}

test("a record that was read and written is canonical and skips the schema", () => {
  for (const record of [aRecord(), FULL, { ...FULL, unknown: { deep: [1] } }]) expect(isCanonicalRecord(documentOf(record))).toBe(true);
});

test("a canonical record has leap days and chrono's fractions of a second, but no other timestamps", () => {
  const isCanonical = (created_at: unknown) => isCanonicalRecord({ ...documentOf(FULL), created_at });
  const good = ["2024-02-29T00:00:00Z", "2026-12-31T23:59:59.123456Z", "2026-11-30T00:00:00.000000001Z", "0000-01-01T00:00:00Z"];
  const bad = [
    "2026-02-29T00:00:00Z",
    "2026-11-31T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:00:00.000Z",
    "2026-01-01T00:00:00.120000Z",
  ];
  expect(good.map(isCanonical)).toEqual(good.map(() => true));
  expect([...bad, "2026-01-01T00:00:00+00:00", "", 7, null].map(isCanonical)).not.toContain(true);
});

/** Values that a field accepts, accepts in another form, or rejects. */
const value = fc.oneof(
  fc.constantFrom(null, true, "", "a b", "active", "tmux", "%1", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00", "0".repeat(64)),
  fc.constantFrom(0, -1, 1, 1.5, 2, 2 ** 60, Number.POSITIVE_INFINITY),
  fc.constantFrom([], ["a"], [1], {}, { a: 1 }, { secs_since_epoch: 1, nanos_since_epoch: 1 }, { input_tokens: 1, output_tokens: 1 }),
  fc.constantFrom(...Object.values(documentOf(FULL))),
);

test(`a canonical document equals its parse by the schema (seed ${seed})`, () => {
  const fields = [...Object.keys(documentOf(FULL)), "unknown", "__proto__"];
  let canonical = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...fields), fc.option(value, { nil: undefined })), { minLength: 1, maxLength: 2 }),
      (changes) => {
        const document = JSON.parse(JSON.stringify(documentOf(FULL)));
        for (const [key, to] of changes)
          Object.defineProperty(document, key, { value: to, enumerable: true, configurable: true, writable: true });
        for (const [key, to] of changes) if (to === undefined) delete document[key];
        if (!isCanonicalRecord(document)) return;
        canonical++;
        const read = SessionRecord.safeParse(document);
        expect(read.success && read.data).toEqual(document);
      },
    ),
    { seed, numRuns: 4_000 },
  );
  expect(canonical).toBeGreaterThan(400);
});
