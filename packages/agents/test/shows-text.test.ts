import { describe, expect, test } from "vitest";
import { showsText } from "../src/shows-text.js";

const FAMILY = "👩‍👩‍👧";
const LONG = `begin ${"word ".repeat(20)}${FAMILY} ${FAMILY} "b" 'a' $(date) end`;

describe("an input shows a text", () => {
  test.each([
    ["all of it, wrapped", "-x one two\nthree", "-x one two three", true],
    ["its end, scrolled", `${"z".repeat(90)}\n${"y".repeat(150)}`, `${"a".repeat(500)}${"z".repeat(90)}${"y".repeat(150)}`, true],
    ["all but what emoji of a doubtful width pushed over the edge", LONG.replace("\"b\" 'a'", "\"b\n'a'"), LONG, true],
    ["without joiners and marks", `${"word ".repeat(3)}👩👩👧 cafe`, `${"word ".repeat(3)}${FAMILY} café`, true],
  ] as const)("%s", (_, draft, text, shown) => {
    expect(showsText(draft, text)).toBe(shown);
  });

  test.each([
    ["nothing of it", "", "hello"],
    ["another text", "hello", "goodbye"],
    ["only its beginning", "one two", "one two three"],
    ["only its end", "end", LONG],
    ["a last row that is cut", LONG.slice(0, -1), LONG],
    ["rows in another order", "three\none two", "one two three"],
    ["a text without its middle", `${LONG.slice(0, 20)}\n$(date) end`, LONG],
    ["blanks", " ", " "],
  ] as const)("not: %s", (_, draft, text) => {
    expect(showsText(draft, text)).toBe(false);
  });
});
