import { trustyMpm } from "@tmpm/core/compat/trusty-mpm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ownRecord } from "../../src/compat/trusty-mpm/own-record.js";
import { readRecord } from "../../src/compat/trusty-mpm/record.js";
import { aRecord, PANE } from "../a-record.js";

const seed = Number(process.env.TMPM_TEST_SEED ?? "1");
const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const SOCKET = PANE.socket;
const at = "2026-01-02T03:04:05.678Z";
const RECORDS = [
  aRecord(),
  aRecord({ agent: "tcode", state: "stopped", stop_cause: "unexpected", exit: { status: 1, signal: null, at }, last_lines: ["bye"] }),
  aRecord({ pane: PANE, pid: 7, intent: { op: "stop", step: "s", key: "k", at }, agent_config: { argv: ["a"], effort: "high" } }),
];

function documentOf(record: (typeof RECORDS)[number], options: { readonly socket?: string } = {}): Record<string, unknown> {
  return JSON.parse(JSON.stringify(trustyMpm({ now: () => at, ...options }).encodeRecord(record)));
}

test("a document of only our fields is read without the schemas", () => {
  for (const record of RECORDS)
    for (const options of [{}, { socket: SOCKET }]) expect(ownRecord(documentOf(record, options))).toEqual(record);
});

/** Values that a field accepts, accepts in another form, or rejects. */
const value = fc.oneof(
  fc.constantFrom(null, true, false, "", "a b", "active", "claude-code", "tcode", "%1", "1:2", "Deliberate", "x".repeat(64)),
  fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00", "2026-02-29T00:00:00Z", "2026-01-01T00:00:00.000Z"),
  fc.constantFrom(0, -1, 1, 1.5, 2 ** 60, [], ["a"], {}, { a: 1 }, { secs_since_epoch: 1, nanos_since_epoch: 1 }),
  fc.constantFrom(...RECORDS.flatMap((record) => [...Object.values(documentOf(record)), ...Object.values(record)])),
);
const fields = fc.constantFrom(
  ...new Set(RECORDS.flatMap((record) => [...Object.keys(documentOf(record)), ...Object.keys(record)])),
  "__proto__",
);
const change = fc.record({ inside: fc.boolean(), field: fields, to: fc.option(value, { nil: undefined }) });

test(`reading without the schemas gives the same as with them (seed ${seed})`, { timeout: 30_000 * scale }, () => {
  let own = 0;
  const runs = (scale >= 10 ? 1_500 : 600) * scale;
  fc.assert(
    fc.property(
      fc.constantFrom(...RECORDS),
      fc.constantFrom({}, { socket: SOCKET }),
      fc.array(change, { maxLength: 3 }),
      (record, options, changes) => {
        const document = documentOf(record, options);
        for (const each of changes) apply(document, each);
        const read = ownRecord(document);
        if (read === null) return;
        own++;
        expect({ ok: true, value: read }).toStrictEqual(readRecord(document, options));
      },
    ),
    { seed, numRuns: runs },
  );
  expect(own).toBeGreaterThan(runs / 10);
});

function apply(document: Record<string, unknown>, { inside, field, to }: { inside: boolean; field: string; to?: unknown }): void {
  const { tmpm } = document;
  const target = inside && typeof tmpm === "object" && tmpm !== null ? tmpm : document;
  if (to === undefined) Reflect.deleteProperty(target, field);
  else Object.defineProperty(target, field, { value: to, enumerable: true, configurable: true, writable: true });
}
