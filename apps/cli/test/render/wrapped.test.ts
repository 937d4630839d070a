import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellWidth } from "../../src/render/cell-width.js";
import { facts } from "../../src/render/facts.js";
import { shownText } from "../../src/render/shown-text.js";
import { wrapped } from "../../src/render/wrapped.js";

const { TMPM_TEST_SEED = "1", TMPM_TEST_SCALE = "1" } = process.env;
/** A failure prints the seed. */
const SEEDED = { seed: Number(TMPM_TEST_SEED), numRuns: Math.ceil(100 * Number(TMPM_TEST_SCALE)) };

const terminal = { columns: 40, colour: false, unicode: true };

describe("a line that is too long", () => {
  test("continues on the next line, broken between words, with text in backquotes kept together", () => {
    expect(wrapped("demo: idle; `tmpm resume demo` starts it", { cells: 20, hang: 2 })).toEqual([
      "demo: idle;",
      "  `tmpm resume demo`",
      "  starts it",
    ]);
    expect(wrapped("  a `command that does not fit at all` b", { cells: 20, hang: 4 })).toEqual([
      "  a `command that",
      "    does not fit at",
      "    all` b",
    ]);
  });

  test("keeps a longer word, and breaks between wide characters", () => {
    expect(wrapped("see /a/path/that/is/long there", { cells: 10, hang: 0 })).toEqual(["see", "/a/path/that/is/long", "there"]);
    expect(wrapped("修复登录页面 ok", { cells: 7, hang: 0 })).toEqual(["修复登", "录页面", "ok"]);
  });

  test("loses nothing, and is too wide only because of a long word", () => {
    const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => !/[\s\p{C}]/u.test(text));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), fc.integer({ min: 6, max: 30 }), (words, cells) => {
        const lines = wrapped(words.join(" "), { cells, hang: 2 });
        expect(lines.join("").replaceAll(" ", "")).toBe(words.join(""));
        for (const line of lines) if (line.trim().includes(" ")) expect(cellWidth(line)).toBeLessThanOrEqual(cells);
      }),
      SEEDED,
    );
  });
});

describe("facts", () => {
  const rows = [
    ["state", "idle"],
    ["directory", "/home/me/src/api and something that was said of it"],
  ];

  test("values are next to their names, or below them in a narrow terminal", () => {
    expect(facts(rows, { terminal }).split("\n")).toEqual([
      "state      idle",
      "directory  /home/me/src/api and",
      "           something that was said of it",
    ]);
    expect(facts(rows, { terminal: { ...terminal, columns: 30 } }).split("\n")).toEqual([
      "state      idle",
      "directory",
      "    /home/me/src/api and",
      "    something that was said of",
      "    it",
    ]);
    expect(facts(rows, {}).split("\n")).toHaveLength(2);
  });
});

test("a terminal without Unicode gets an ASCII equivalent", () => {
  expect(shownText("a – “b” … 修", { terminal: { ...terminal, unicode: false }, hang: 2 })).toBe('a - "b" ~ ?');
  expect(shownText("修".repeat(30), { terminal: { ...terminal, columns: null, unicode: false }, hang: 2 })).toBe("修".repeat(30));
});
