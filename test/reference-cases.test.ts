import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const PAGE = readFileSync(resolve(ROOT, "docs/reference-cases.md"), "utf8");

/** Number of numbered cases per program. */
const SYSTEMS = { "trusty-mpm": 56, swimmers: 75, zeroclaw: 52, "ao-rs": 58 } as const;

interface Row {
  readonly cases: readonly number[];
  readonly status: string;
  readonly test: string;
}

function rowsOf(system: string): readonly Row[] {
  const [, section = ""] = PAGE.split(`\n## ${system}\n`);
  const lines = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => /^\| \d/.test(line));
  return lines.map((line) => {
    const [cases = "", , status = "", test = ""] = line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim());
    return { cases: numbersIn(cases), status, test: test.replace(/\|$/, "").trim() };
  });
}

/** `1`, `3, 4`, `33 to 36, 38 to 40`. */
function numbersIn(cases: string): readonly number[] {
  return cases.split(", ").flatMap((part) => {
    const [from = Number.NaN, to = from] = part.split(" to ").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

describe.each(Object.entries(SYSTEMS))("cases of %s", (system, count) => {
  const rows = rowsOf(system);

  test("are listed exactly once each", () => {
    const all = rows.flatMap(({ cases }) => cases).sort((a, b) => a - b);
    expect(all).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  });

  test.each(rows.map((row) => [row.cases.join(", "), row] as const))(
    "%s: names an existing test, or the reason without one",
    (_cases, row) => {
      expect(row.status).toMatch(/^(?:kept|changed: |dropped: |dropped here: )/);
      const [, file, title] = /^`([^`]+)`: "([^"]+)"/.exec(row.test) ?? [];
      if (row.status.startsWith("dropped")) return expect(row.status.length).toBeGreaterThan(12);
      expect(readFileSync(resolve(ROOT, file ?? "no test"), "utf8")).toContain(title);
      for (const [, other = ""] of row.test.matchAll(/`([^`]+\.ts)`/g))
        expect([other, existsSync(resolve(ROOT, other))]).toEqual([other, true]);
    },
  );
});
