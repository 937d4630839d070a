import { randomUUID } from "node:crypto";
import { nameFromDir, nameFromTmuxName, nameFromUuid, tmuxNameFromName, uniqueName } from "@tmpm/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anySlug } from "../a-record.js";
import { forAll } from "../for-all.js";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "1" } = process.env;
const anyPath = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.string({ unit: "grapheme" }), { maxLength: 4 }).map((parts) => parts.join("/")),
);

describe("nameFromUuid", () => {
  test.each([
    ["00000000-0000-0000-0000-000000000000", "tmpm-quiet-falcon"],
    ["00000000-0000-0000-0000-000000000001", "tmpm-brave-falcon"],
    ["00000000-0000-0000-0000-000000000032", "tmpm-quiet-river"],
    ["ffffffff-ffff-ffff-ffff-ffffffffffff", "tmpm-bold-anchor"],
    ["367c6c51-1025-419c-b6d6-be9a753e8914", "tmpm-silent-marten"],
    ["550e8400-e29b-41d4-a716-446655440000", "tmpm-stark-delta"],
  ])("names %s %s (trusty case 1, table 2.3)", (uuid, name) => {
    expect(nameFromUuid(uuid)).toBe(name);
  });

  test("gives 200 random UUIDs two words and at most 25 characters (trusty case 1)", () => {
    for (let i = 0; i < 200; i++) {
      const name = nameFromUuid(randomUUID());
      expect(name).toMatch(/^tmpm-[a-z]+-[a-z]+$/);
      expect(name.length).toBeLessThanOrEqual(25);
    }
  });

  test("gives more than 400 names to 500 random UUIDs (trusty case 1)", () => {
    expect(new Set(Array.from({ length: 500 }, () => nameFromUuid(randomUUID()))).size).toBeGreaterThan(400);
  });

  test("uses each of its 2500 names for 2500 successive numbers, whatever the first", () => {
    const used = fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n - 2500n }), (first) => {
      const names = Array.from({ length: 2500 }, (_, i) => nameFromUuid((first + BigInt(i)).toString(16).padStart(32, "0")));
      expect(new Set(names).size).toBe(2500);
    });
    void fc.assert(used, { seed: Number(TMPM_TEST_SEED), numRuns: 10 * Number(TMPM_TEST_SCALE) });
  });

  test("rejects a string that is not a UUID", () => {
    expect(() => nameFromUuid("550e8400")).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});

describe("nameFromDir", () => {
  test.each([
    ["/Users/masa/Projects/trusty-mpm", "tmpm-trusty-mpm"],
    ["/home/foo/my project", "tmpm-my-project"],
    ["/srv/my_api_v2", "tmpm-my-api-v2"],
    ["/x/MixedCase", "tmpm-mixedcase"],
    ["/x/--weird__  name--", "tmpm-weird-name"],
    ["/x/...dots...", "tmpm-dots"],
    ["/x/this-is-a-very-long-folder-name", "tmpm-this-is-a-very-long"],
    ["/x/abcdefghijklmnopqrs-tuv", "tmpm-abcdefghijklmnopqrs"],
    ["/", "tmpm-session"],
    ["", "tmpm-session"],
    ["..", "tmpm-session"],
    [".", "tmpm-session"],
    ["/a/b/..", "tmpm-session"],
    ["/x/----", "tmpm-session"],
    ["/a/b/", "tmpm-b"],
    ["/a/b/.", "tmpm-b"],
    ["/x/héllo-wörld", "tmpm-h-llo-w-rld"],
    ["/x/日本語", "tmpm-session"],
    ["/x/foo.git", "tmpm-foo-git"],
    ["feature/login-page", "tmpm-login-page"],
    ["fix #42: crash", "tmpm-fix-42-crash"],
    ["a:b.c", "tmpm-a-b-c"],
  ])("names %j %s (trusty case 2, table 2.3)", (path, name) => {
    expect(nameFromDir(path)).toBe(name);
  });

  test.each([
    ["a//b///", "tmpm-b"],
    ["./a", "tmpm-a"],
    ["./", "tmpm-session"],
    ["/a/b/./.", "tmpm-b"],
    ["/a/../", "tmpm-session"],
    ["/x/\u212a", "tmpm-session"],
  ])("names %j %s", (path, name) => {
    expect(nameFromDir(path)).toBe(name);
  });

  test("always gives the prefix and a slug of at most 20 characters (trusty case 2)", () => {
    forAll([anyPath], (path) => {
      const name = nameFromDir(path);
      expect(name).toMatch(/^tmpm-[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(name.length).toBeLessThanOrEqual(25);
    });
  });

  test("keeps its own slug unchanged (trusty case 2)", () => {
    forAll([anyPath], (path) => {
      const name = nameFromDir(path);
      expect(nameFromDir(nameFromTmuxName(name))).toBe(name);
    });
  });
});

describe("uniqueName", () => {
  test("keeps a free name and gives a taken one the lowest free suffix", () => {
    expect(uniqueName("api", new Set())).toBe("api");
    expect(uniqueName("api", new Set(["api"]))).toBe("api-2");
    expect(uniqueName("api", new Set(["api", "api-2", "api-4"]))).toBe("api-3");
  });

  test("gives each of many requests for one name a different valid name", () => {
    forAll([anySlug, fc.integer({ min: 1, max: 120 })], (name, count) => {
      const taken = new Set<string>();
      for (let i = 0; i < count; i++) {
        const unique = uniqueName(name, taken);
        expect(unique).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/);
        taken.add(unique);
      }
      expect(taken.size).toBe(count);
    });
  });
});

test("a name maps to its tmux name and back, also when it begins with the prefix", () => {
  forAll([fc.oneof(anySlug, fc.constant("tmpm-tmpm-x"))], (name) => {
    expect(nameFromTmuxName(tmuxNameFromName(name))).toBe(name);
  });
  expect(nameFromTmuxName("other")).toBe("other");
});
