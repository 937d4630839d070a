import fc from "fast-check";
import { expect, test } from "vitest";
import { plainLines } from "../../src/render/plain-lines.js";

const encode = (text: string) => new TextEncoder().encode(text);

test.each([
  [
    "colours and titles go",
    "\u001b[1;31mred\u001b[0m \u001b]2;title\u0007\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\\r\n",
    ["red link"],
  ],
  ["an overwritten line keeps its final text", "10 %\r20 %\rdone\r\n", ["done"]],
  ["charset and keypad sequences are removed", "\u001b(B\u001b=\u001b>\u001bPq#0\u001b\\x\n", ["x"]],
  ["other controls are made visible", "a\u0007b\u009b1m\u202e\n", ["a\\x07b\\x9b1m\\u202e"]],
  ["several lines", "one\r\n\r\ntwo\r\n", ["one", "", "two"]],
])("%s", (_, text, lines) => {
  expect(plainLines().take(encode(text))).toEqual(lines);
  const plain = plainLines();
  expect([...encode(text)].flatMap((byte) => plain.take(Uint8Array.of(byte)))).toEqual(lines);
});

test("an incomplete line is buffered, and control bytes are removed from any input", () => {
  const plain = plainLines();
  expect([plain.take(encode("half \u001b[3")), plain.rest()]).toEqual([[], "half \\x1b[3"]);
  expect([plain.take(encode("1m of é\n")), plain.rest()]).toEqual([["half  of é"], ""]);
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 10 }), (pieces) => {
      const any = plainLines();
      const printed = [...pieces.flatMap((piece) => any.take(piece)), any.rest()].join("\n");
      expect(printed).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }),
    { numRuns: 200, seed: Number(process.env.TMPM_TEST_SEED ?? "1") },
  );
});
