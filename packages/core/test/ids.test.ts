import { normalizeUuid, parseSlug, SessionId, Slug, uuidFromBytes } from "@tmpm/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ID } from "./a-record.js";
import { forAll } from "./for-all.js";

const HEX = ID.replaceAll("-", "");

describe("normalizeUuid", () => {
  test.each([ID, ID.toUpperCase(), HEX, HEX.toUpperCase(), `{${ID}}`, `{${ID.toUpperCase()}}`, `urn:uuid:${ID}`])("reads %s", (text) => {
    expect(normalizeUuid(text)).toBe(ID);
  });

  test.each([
    "",
    "x",
    HEX.slice(1),
    `${HEX}0`,
    `0${HEX}`,
    `${ID} `,
    ` ${ID}`,
    `${ID}\n`,
    `{${ID}`,
    `${ID}}`,
    `{${HEX}}`,
    `urn:${ID}`,
    `urn:uuid:{${ID}}`,
    `urn:uuid:${HEX}`,
    ID.replace("5", "g"),
    ID.replace("-", ""),
  ])("rejects %j", (text) => {
    expect(normalizeUuid(text)).toBeNull();
  });
});

describe("uuidFromBytes", () => {
  test("builds a version 4 UUID from the other 122 bits", () => {
    forAll([fc.uint8Array({ minLength: 16, maxLength: 16 })], (bytes) => {
      const uuid = uuidFromBytes(bytes);
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const back = Buffer.from(uuid.replaceAll("-", ""), "hex");
      expect([...back].map((byte, i) => byte & mask(i))).toEqual([...bytes].map((byte, i) => byte & mask(i)));
    });
    expect(uuidFromBytes(new Uint8Array(16))).toBe("00000000-0000-4000-8000-000000000000");
  });

  test("rejects any other number of bytes", () => {
    expect(() => uuidFromBytes(new Uint8Array(15))).toThrow(TypeError);
  });
});

describe("names and project ids", () => {
  test.each(["a", "Z9", "demo2", "a-b_c", "0", "x".repeat(63)])("accept %s", (text) => {
    expect(parseSlug(text)).toBe(text);
    expect(Slug.safeParse(text).success).toBe(true);
  });

  test.each(["", "-a", "_a", ".", "..", "a.b", "a/b", "a b", "a:b", "a\n", "a\u0000", "é", "x".repeat(64), "=a", "%1"])(
    "reject %j",
    (text) => {
      expect(() => parseSlug(text, "project id")).toThrow(
        expect.objectContaining({ code: "INVALID_ARGUMENT", details: { field: "project id" } }),
      );
      expect(Slug.safeParse(text).success).toBe(false);
    },
  );
});

test("a SessionId in a document is lower case with hyphens", () => {
  expect(SessionId.safeParse(ID).success).toBe(true);
  expect(SessionId.safeParse(ID.toUpperCase()).success).toBe(false);
});

/** Without version and variant bits. */
function mask(index: number): number {
  return index === 6 ? 0x0f : index === 8 ? 0x3f : 0xff;
}
