import { describe, expect, test } from "vitest";
import { shownOf } from "../src/screen/shows-text.js";

const FAMILY = "👩‍👩‍👧";
const LONG = `begin ${"word ".repeat(20)}${FAMILY} ${FAMILY} "b" 'a' $(date) end`;

describe("shownOf", () => {
  test.each([
    ["all of it, wrapped", "-x one two\nthree", "-x one two three", "all"],
    ["its end, scrolled", `${"z".repeat(90)}\n${"y".repeat(150)}`, `${"a".repeat(500)}${"z".repeat(90)}${"y".repeat(150)}`, "all"],
    ["but for what emoji of a doubtful width pushed over the edge", LONG.replace("\"b\" 'a'", "\"b\n'a'"), LONG, "all"],
    ["but for what was cut off beside emoji", LONG.replace(" 'a' $", " $"), LONG, "all"],
    ["without joiners and marks", `${"word ".repeat(3)}👩👩👧 cafe`, `${"word ".repeat(3)}${FAMILY} café`, "all"],
    // As tmux 3.3a and Claude Code 2.1.332 draw them: a cell holds 21 bytes, and a modifier is lost.
    ["without a skin tone", "👍 ok", "👍🏽 ok", "all"],
    ["without the last of a family", "family 👨‍👩‍👧‍ x", "family 👨‍👩‍👧‍👦 x", "all"],
    ["of emoji alone", "👨‍👩", "👨‍👩‍👧‍👦", "all"],
    ["in composed characters", "é café", "é café", "all"],
    ["without what has no width", "zerowidth", "zero\u200bwidth", "all"],
    ["of keycaps without their marks", "1 2", "1️⃣ 2️⃣", "all"],
  ] as const)("%s", (_, draft, text, shown) => {
    expect(shownOf(draft, text)).toBe(shown);
  });

  test.each([
    ["nothing of it", "", "hello", "nothing"],
    ["blanks", " ", " ", "nothing"],
    ["only its beginning", "one two", "one two three", "part"],
    ["only its end", "end", LONG, "part"],
    ["a last row that is cut", LONG.slice(0, -1), LONG, "part"],
    ["rows of its middle", "two three", "one two three four", "part"],
    ["rows of a long text, far from its end", "row 3\nrow 4", Array.from({ length: 9_000 }, (_, i) => `row ${i}`).join("\n"), "part"],
    ["a text without its middle", `${LONG.slice(0, 20)}\n$(date) end`, LONG, "part"],
    ["its end and more, where more of it follows elsewhere", "zz one zz", "zz one zz three one", "part"],
    [
      "the end of a long text, and what was typed behind it",
      `${"prose and puzzles ".repeat(20)}zz`,
      "prose and puzzles ".repeat(3_000),
      "other",
    ],
    ["emoji alone of a text with words", "👩", LONG, "part"],
    ["another text", "hello", "goodbye", "other"],
    ["more than the text", "hello worldzz", "hello world", "other"],
    ["other text before it", "zzhello world", "hello world", "other"],
    ["other text beside emoji", "👍 okzz", "👍🏽 ok", "other"],
    ["rows in another order", "three\none two", "one two three", "other"],
    ["words where only emoji are", "zz", "👨‍👩‍👧‍👦", "other"],
  ] as const)("is false when incomplete: %s", (_, draft, text, shown) => {
    expect(shownOf(draft, text)).toBe(shown);
  });
});
