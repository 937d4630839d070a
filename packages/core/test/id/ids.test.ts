import { normalizeUuid, parseSlug, SessionId, Slug } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { ID } from "../a-record.js";

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
