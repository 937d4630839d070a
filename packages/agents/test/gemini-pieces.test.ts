import { describe, expect, test } from "vitest";
import { piecesOfPaths } from "../src/gemini/pieces.js";

describe("a text for Gemini CLI", () => {
  test.each([
    ["/usr/bin/env", ["/u", "sr/bin/env"]],
    ["./src/a.ts ../b", ["./", "src/a.ts ../b"]],
    ["../../a/b/long", ["..", "/.", "./", "a/b/long"]],
    ["'/etc/hosts'", ["'/", "etc/hosts'"]],
    ["\\/vmlinuz", ["\\/", "vmlinuz"]],
    ["c:/x", ["c:", "/x"]],
    ["/😀/x", ["/", "😀/x"]],
    ["/", ["/"]],
  ])("that may be a path, %j, begins apart, in pieces that are too short to be taken for one", (text, pieces) => {
    expect(piecesOfPaths(text)).toEqual(pieces);
  });

  test.each(["look at /etc/hosts", "src/a.ts", "", "a"])("that does not begin like a path, %j, is typed whole", (text) => {
    expect(piecesOfPaths(text)).toEqual([text]);
  });
});
