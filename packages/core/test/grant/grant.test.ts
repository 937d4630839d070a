import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  GRANT_LIMITS,
  type Grant,
  type GrantLimit,
  grantBeyond,
  grantOf,
  grantText,
  hasCode,
  parseGrant,
  REACHES,
} from "../../src/index.js";

const SEEDED = { seed: Number(process.env.TMPM_TEST_SEED ?? 1) };
const limits = (Object.keys(GRANT_LIMITS) as GrantLimit[]).map(
  (name) => [name, fc.integer({ min: 1, max: GRANT_LIMITS[name].most })] as const,
);
const grants = fc.record({
  reach: fc.constantFrom(...REACHES),
  ...(Object.fromEntries(limits) as Record<GrantLimit, fc.Arbitrary<number>>),
  stop_children: fc.boolean(),
});

describe("grant", () => {
  test("parses its text and fills usual limits", () => {
    expect(parseGrant("tree")).toEqual({ reach: "tree", depth: 1, children: 4, lineage: 16, sends_per_hour: 30, stop_children: true });
    expect(parseGrant("project, depth=2,children=8,keep-children")).toMatchObject({ depth: 2, children: 8, stop_children: false });
    expect(grantOf(parseGrant("none"))).toBe(null);
    for (const wrong of ["", "tre", "tree,depth=0", "tree,depth=9", "tree,colour=1", "tree,depth", "tree,sends=1e3"])
      expect(() => parseGrant(wrong), wrong).toThrow(/the grant/);
    expect(
      hasCode(
        caught(() => parseGrant("x")),
        "INVALID_ARGUMENT",
      ),
    ).toBe(true);
  });

  test("round-trips through its text", () => {
    fc.assert(
      fc.property(grants, (grant) => {
        expect(grantOf(parseGrant(grantText(grant)))).toEqual(grant);
      }),
      SEEDED,
    );
  });

  test("never widens when passed on, and ends within the depth of the first grant", () => {
    fc.assert(
      fc.property(grants, fc.array(grants, { maxLength: 12 }), (first, wishes) => {
        let held: Grant = first;
        let generations = 0;
        for (const wish of wishes) {
          if (grantBeyond(wish, held).length > 0) continue;
          held = wish;
          generations += 1;
          expect(REACHES.indexOf(held.reach)).toBeLessThanOrEqual(REACHES.indexOf(first.reach));
          expect(first.stop_children && !held.stop_children).toBe(false);
          for (const [name] of limits) expect(held[name]).toBeLessThanOrEqual(first[name]);
        }
        expect(generations).toBeLessThan(first.depth);
      }),
      SEEDED,
    );
  });
});

function caught(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
