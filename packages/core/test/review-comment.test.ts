import { describe, expect, test } from "vitest";
import { type CommentAnchor, lineOfAnchor } from "../src/index.js";

const FILE = ["a", "}", "b", "}", "c", "}"];

function anchor(line: number): CommentAnchor {
  const at = line - 1;
  return {
    path: "f",
    side: "new",
    line,
    blob: "0",
    text: FILE[at] ?? "",
    before: FILE.slice(Math.max(0, at - 3), at),
    after: FILE.slice(at + 1, at + 4),
  };
}

describe("the line that a comment means", () => {
  test("is the same one in the same file, also among equal lines", () => {
    expect([1, 2, 3, 4, 5, 6].map((line) => lineOfAnchor(anchor(line), FILE))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("moves with its surroundings", () => {
    expect(lineOfAnchor(anchor(4), ["x", "y", ...FILE])).toBe(6);
    expect(lineOfAnchor(anchor(5), ["c", ...FILE.slice(0, 4)])).toBe(1);
  });

  test("is gone with its text, and when nothing around a bare brace is the same", () => {
    expect(lineOfAnchor(anchor(3), ["a", "}", "B"])).toBeNull();
    expect(lineOfAnchor(anchor(4), ["other", "}"])).toBeNull();
  });
});
