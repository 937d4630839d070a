import { hasCode, MAX_TEXT_BYTES, parseText, type TmpmError, visibleText } from "@tmpm/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forAll } from "../for-all.js";

const CONTROLS = [...range(0x00, 0x1f), ...range(0x7f, 0x9f)];
const ALLOWED = new Set([0x09, 0x0a, 0x0d]);
const FORBIDDEN = CONTROLS.filter((code) => !ALLOWED.has(code));

/** Every Unicode scalar that may be typed. */
const anyTextUnit = fc
  .oneof(
    fc.constantFrom(0x09, 0x0a, 0x0d),
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0xa0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((code) => String.fromCodePoint(code));
const anyText = fc.string({ unit: anyTextUnit, minLength: 1 });

describe("parseText", () => {
  test("keeps text without control characters, and turns CR LF and CR into LF", () => {
    forAll([anyText], (text) => {
      expect(parseText(text)).toBe(text.split("\r\n").join("\n").split("\r").join("\n"));
    });
  });

  test.each(["a\r\nb", "a\rb", "a\nb"])("reads %j as one line end", (text) => {
    expect(parseText(text)).toBe("a\nb");
  });

  test.each([" ", "\t", "\n", ";", "-R", "a;", "#{x}", "\\e", "\u00a0", "\u200b", "\u202e", "\ufeff", "\uffff", "😀", "e\u0301", "日本語"])(
    "keeps %j",
    (text) => {
      expect(parseText(text)).toBe(text);
    },
  );

  test("rejects C0, C1 and DEL except TAB, LF and CR, and names the position", () => {
    for (const code of FORBIDDEN) {
      const error = refusal(`a\r\n😀${String.fromCharCode(code)}b`);
      const code_point = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
      expect(error).toMatchObject({ code: "INVALID_TEXT", effect: "none", details: { position: 5, code_point } });
      expect(error.message).toContain(code_point);
    }
    expect(FORBIDDEN).toHaveLength(62);
  });

  test("names the first of several", () => {
    expect(refusal("ab\u001b[0m\u0000").details.position).toBe(2);
  });

  test.each([
    ["\ud800", 0],
    ["a\udbff", 1],
    ["\udc00a", 0],
    ["a\udfff", 1],
    ["\ud83d\ud83d\ude00", 0],
    ["\ud83d\ude00\ude00", 2],
  ])("rejects the lone surrogate in %j at position %d", (text, position) => {
    expect(refusal(text)).toMatchObject({ code: "INVALID_TEXT", details: { position } });
  });

  test("rejects a lone surrogate anywhere", () => {
    const half = fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code));
    forAll([anyText, half, anyText], (before, lone, after) => {
      expect(refusal(before + lone + after).details.position).toBe(before.length);
    });
  });

  test("rejects empty text with a hint", () => {
    expect(refusal("")).toMatchObject({ code: "INVALID_TEXT", hint: expect.stringContaining("Enter") });
  });

  test.each([
    ["a", 1],
    ["é", 2],
    ["日", 3],
    ["😀", 4],
  ])("counts %s as %d bytes against the limit of 8 MiB", (char, bytes) => {
    const full = char.repeat(Math.floor(MAX_TEXT_BYTES / bytes));
    const fit = full + "a".repeat(MAX_TEXT_BYTES - Buffer.byteLength(full));
    expect(parseText(fit).length).toBe(fit.length);
    expect(refusal(`${fit}a`)).toMatchObject({ code: "TEXT_TOO_LARGE", details: { bytes: MAX_TEXT_BYTES + 1, limit: MAX_TEXT_BYTES } });
  });

  test("measures normalized text: CR LF counts one byte", () => {
    expect(parseText(`\r\n${"a".repeat(MAX_TEXT_BYTES - 1)}`)).toHaveLength(MAX_TEXT_BYTES);
  });
});

describe("visibleText", () => {
  test("contains no control character but TAB and LF, and no lone surrogate", () => {
    forAll([fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) })], (text) => {
      const visible = visibleText(text);
      expect(visible).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
      expect(Buffer.from(visible).toString()).toBe(visible);
    });
  });

  test.each([
    ["\u001b[31mred", "\\x1b[31mred"],
    ["a\u0000b\u007f\u009b", "a\\x00b\\x7f\\x9b"],
    ["a\rb", "a\\x0db"],
    ["abc\u202egpj", "abc\\u202egpj"],
    ["a\u2028b\u2029c", "a\\u2028b\\u2029c"],
    ["\ud800", "\\ud800"],
    ["a\tb\nc", "a\tb\nc"],
    ["日本語 😀 é", "日本語 😀 é"],
  ])("shows %j as %j", (text, visible) => {
    expect(visibleText(text)).toBe(visible);
  });
});

function refusal(text: string): TmpmError {
  try {
    parseText(text);
  } catch (error) {
    if (hasCode(error, "INVALID_TEXT", "TEXT_TOO_LARGE")) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(text.slice(0, 50))} was accepted`);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
