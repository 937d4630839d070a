import { describe, expect, test } from "vitest";
import { readScreen } from "../src/index.js";
import { screen } from "./screen.js";

const EDGE = `  ╹${"▀".repeat(60)}`;

function draftOf(shown: string, column: number): string | null {
  const lines = ["  ┃", `  ┃  ${shown}`, "  ┃", "  ┃  Build · Mock Model Mock", EDGE, "                 tab agents  ctrl+p commands"];
  return readScreen("opencode", screen(lines, { cursor: { column, row: 1, visible: true } })).draft;
}

describe("the input of OpenCode", () => {
  test.each(["\u202e", "\u200b\u0301", ""])("is empty where only %j remains of a text that was sent", (left) => {
    expect(draftOf(left, 5)).toBe("");
  });

  test("holds text whose first character has no width", () => {
    expect(draftOf("\u202eabc\u202c", 8)).toBe("\u202eabc\u202c");
    expect(draftOf("\u202eabc\u202c", 5)).toBe("\u202eabc\u202c");
  });
});
