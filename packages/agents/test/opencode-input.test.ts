import { describe, expect, test } from "vitest";
import { readScreen } from "../src/index.js";
import { screen } from "./screen.js";

const EDGE = `  ╹${"▀".repeat(60)}`;

function draftOf(shown: string, column: number): string | null {
  const lines = ["  ┃", `  ┃  ${shown}`, "  ┃", "  ┃  Build · Mock Model Mock", EDGE, "                 tab agents  ctrl+p commands"];
  return readScreen("opencode", screen(lines, { cursor: { column, row: 1, visible: true } })).draft;
}

describe("OpenCode's input", () => {
  test.each(["\u202e", "\u200b\u0301", ""])("is empty when only %j is left of a sent text", (left) => {
    expect(draftOf(left, 5)).toBe("");
  });

  test("contains no letters of the suggestion that format characters left on the screen", () => {
    expect(draftOf("\u2067Aabc\u2069a", 9)).toBe("\u2067abc\u2069");
    expect(draftOf("ab\u2067kd", 9)).toBe("ab\u2067d");
    expect(draftOf("\u2067Bob\u2069", 9)).toBe("\u2067Bob\u2069");
  });

  test("contains text whose first character has zero width", () => {
    expect(draftOf("\u202eabc\u202c", 8)).toBe("\u202eabc\u202c");
    expect(draftOf("\u202eabc\u202c", 5)).toBe("\u202eabc\u202c");
  });
});
