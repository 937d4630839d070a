import { parseText } from "@tmpm/core";
import { expect, test } from "vitest";
import { commentsPrompt, type PlacedComment } from "../../src/comments/comments-prompt.js";

function placed(path: string, text: string, comment: string): PlacedComment {
  return {
    id: "c",
    anchor: { path, side: "new", line: 1, blob: "", text, before: [], after: [] },
    comment,
    at: "2026-01-01T00:00:00.000Z",
    sent: null,
    line: 1,
  };
}

test("comments on lines with control characters, halves of characters and bare carriage returns can be typed, each line quoted", () => {
  const prompt = commentsPrompt([placed("a\u001b\nb.txt", "one\u001b[31m\rtwo\ud83d", "Why?\rReally\udc00\r\nyes")]);
  expect(parseText(prompt)).toBe(prompt);
  expect(prompt.split("\n").slice(2)).toEqual([
    "1. a\\x1b\\x0ab.txt:1",
    "   > one\\x1b[31m\\x0dtwo\\ud83d",
    "   Why?",
    "   Really\\udc00",
    "   yes",
  ]);
});
