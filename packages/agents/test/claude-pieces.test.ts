import { describe, expect, test } from "vitest";
import { inlinePieces } from "../src/claude/pieces.js";

describe("pieces of a paste for Claude Code", () => {
  test.each([
    ["a short one", "hello", 1],
    ["three lines", "a\nb\nc", 1],
    ["four lines", "a\nb\nc\nd", 2],
    ["two thousand characters", "word ".repeat(400), 3],
    ["tabs, which become four spaces", "\t".repeat(400), 3],
    ["one that would take too long", "x".repeat(100_001), 1],
  ])("are as few as possible: %s", (_, text, count) => {
    const pieces = inlinePieces(text);
    expect(pieces).toHaveLength(count);
    expect(pieces.join("")).toBe(text);
  });

  test("never split a grapheme", () => {
    const pieces = inlinePieces("👩🏽‍💻e\u0301".repeat(300));
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces) expect(piece).toMatch(/^(?:👩🏽‍💻|e\u0301)/u);
  });
});
