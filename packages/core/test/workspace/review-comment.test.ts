import { describe, expect, test } from "vitest";
import { type CommentAnchor, lineOfAnchor } from "../../src/index.js";

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

describe("anchor of a review comment", () => {
  test("finds its line in the unchanged file, also among equal lines", () => {
    expect([1, 2, 3, 4, 5, 6].map((line) => lineOfAnchor(anchor(line), FILE))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("moves with its context", () => {
    expect(lineOfAnchor(anchor(4), ["x", "y", ...FILE])).toBe(6);
    expect(lineOfAnchor(anchor(5), ["c", ...FILE.slice(0, 4)])).toBe(1);
  });

  test("is lost when its text is gone, or when a bare brace has no matching context", () => {
    expect(lineOfAnchor(anchor(3), ["a", "}", "B"])).toBeNull();
    expect(lineOfAnchor(anchor(4), ["other", "}"])).toBeNull();
  });
});
