import { describe, expect, test } from "vitest";
import { geminiText } from "../src/gemini/text.js";

describe("pieces of a text for Gemini CLI", () => {
  test.each([
    ["/usr/bin/env", ["/", "usr/bin/env"]],
    ["./src/a.ts ../b", ["./", "src/a.ts ../b"]],
    ["../../a/b/long", ["../../", "a/b/long"]],
    ["'/etc/hosts'", ["'/", "etc/hosts'"]],
    ["\\/vmlinuz", ["\\/", "vmlinuz"]],
    ["c:/x", ["c:/", "x"]],
    ["/😀/x", ["/", "😀/x"]],
  ])("split a possible path, %j, in two that are not paths", (text, pieces) => {
    expect(geminiText.pieces(text)).toEqual(pieces);
  });

  test.each(["look at /etc/hosts", "src/a.ts", "", "a", "/", ".".repeat(500), "/etc/hosts\n/etc/passwd", `/tmp/${"x".repeat(500)}`])(
    "keep whole a text that is not a path or is too long: %j",
    (text) => {
      expect(geminiText.pieces(text)).toEqual([text]);
    },
  );
});
