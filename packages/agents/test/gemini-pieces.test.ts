import { describe, expect, test } from "vitest";
import { geminiText } from "../src/gemini/text.js";

describe("a text for Gemini CLI", () => {
  test.each([
    ["/usr/bin/env", ["/", "usr/bin/env"]],
    ["./src/a.ts ../b", ["./", "src/a.ts ../b"]],
    ["../../a/b/long", ["../../", "a/b/long"]],
    ["'/etc/hosts'", ["'/", "etc/hosts'"]],
    ["\\/vmlinuz", ["\\/", "vmlinuz"]],
    ["c:/x", ["c:/", "x"]],
    ["/😀/x", ["/", "😀/x"]],
  ])("that may be a path, %j, is typed in two pieces, neither of which is one", (text, pieces) => {
    expect(geminiText.pieces(text)).toEqual(pieces);
  });

  test.each(["look at /etc/hosts", "src/a.ts", "", "a", "/", ".".repeat(500), "/etc/hosts\n/etc/passwd", `/tmp/${"x".repeat(500)}`])(
    "that is not a path, or is longer than the input shows, %j, is typed whole",
    (text) => {
      expect(geminiText.pieces(text)).toEqual([text]);
    },
  );
});
